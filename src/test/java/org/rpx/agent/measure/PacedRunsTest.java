package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PacedRunsTest {
  /** Run 1 is slow; 2 and 3 wait for the one before; 4 finds the program free again. */
  private static final PacedRuns RUNS =
      PacedRuns.of(
          10,
          new long[] {0, 10, 20, 30, 40},
          new long[] {0, 11, 25, 32, 43},
          new long[] {4, 25, 32, 36, 47});

  @Test
  void latencyCountsFromTheIntendedRelease() {
    assertThat(RUNS.latencies().durationsNs()).containsExactly(4, 15, 12, 6, 7);
    assertThat(RUNS.services().durationsNs()).containsExactly(4, 14, 7, 4, 4);
    assertThat(RUNS.latencies().startNs(3)).isEqualTo(30);
  }

  @Test
  void deadlinesAreAPeriodAfterTheRelease() {
    assertThat(RUNS.deadlineMisses()).isEqualTo(2);
    assertThat(RUNS.longestRunOfMisses()).isEqualTo(2);
    PacedRuns onTime = PacedRuns.of(10, new long[] {0}, new long[] {0}, new long[] {10});
    assertThat(onTime.deadlineMisses()).isZero();
    assertThat(onTime.longestRunOfMisses()).isZero();
  }

  /** 1 and 3: runs 1 and 4; the others waited for the one before. */
  @Test
  void jitterIsOfRunsThatHadNothingToWaitFor() {
    assertThat(RUNS.releaseJitter().count()).isEqualTo(2);
    assertThat(RUNS.releaseJitter().min()).isEqualTo(1);
    assertThat(RUNS.releaseJitter().max()).isEqualTo(3);
  }

  /** Runs 1 and 4 took 14 and 4, in the middle 9. */
  @Test
  void afterIdleCostIsBesideRunsBackToBack() {
    assertThat(RUNS.afterIdleCostNs(5)).isEqualTo(4);
    assertThat(RUNS.afterIdleCostNs(10)).isEqualTo(-1);
  }

  @Test
  void whatWasNeverFreeHasNeitherJitterNorIdleCost() {
    PacedRuns busy = backToBack(10, 5, 12, 0);

    assertThat(busy.releaseJitter()).isNull();
    assertThat(busy.afterIdleCostNs(12)).isNull();
  }

  @Test
  void capacityIsAtTheMeanTime() {
    assertThat(RUNS.capacityHz()).isCloseTo(1e9 / 6.6, within(1e-3));
    PacedRuns none = PacedRuns.of(10, new long[] {0}, new long[] {0}, new long[] {0});
    assertThat(none.capacityHz()).isNull();
  }

  @Test
  void aRateAboveCapacityIsOverload() {
    assertThat(RUNS.overloaded()).isFalse();
    assertThat(backToBack(10, 100, 12, 0).overloaded()).isTrue();
    assertThat(backToBack(10, 100, 12, 0).longestRunOfMisses()).isEqualTo(100);
    // Runs fit into the period, but not what lies between them.
    assertThat(backToBack(10, 100, 9, 2).overloaded()).isTrue();
    assertThat(backToBack(10, 100, 9, 1).overloaded()).isFalse();
  }

  /** One hold-up, in the middle or at the end, is no overload: misses tell it. */
  @Test
  void oneStallIsNoOverload() {
    assertThat(stalled(100, 50).overloaded()).isFalse();
    assertThat(stalled(100, 98).overloaded()).isFalse();
    assertThat(stalled(100, 98).deadlineMisses()).isEqualTo(2);
  }

  private static PacedRuns backToBack(long period, int n, long service, long between) {
    long[][] t = new long[3][n];
    long free = 0;
    for (int i = 0; i < n; i++) {
      t[0][i] = i * period;
      t[1][i] = Math.max(t[0][i], free);
      t[2][i] = t[1][i] + service;
      free = t[2][i] + between;
    }
    return PacedRuns.of(period, t[0], t[1], t[2]);
  }

  private static PacedRuns stalled(int n, int at) {
    long[][] t = new long[3][n];
    long free = 0;
    for (int i = 0; i < n; i++) {
      t[0][i] = i * 10L;
      t[1][i] = Math.max(t[0][i] + i % 3, free);
      t[2][i] = t[1][i] + (i == at ? 100 : 4);
      free = t[2][i];
    }
    return PacedRuns.of(10, t[0], t[1], t[2]);
  }

  @Test
  void refusesTimesOutOfOrder() {
    assertThatThrownBy(() -> PacedRuns.of(0, new long[1], new long[1], new long[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("period");
    assertThatThrownBy(() -> PacedRuns.of(10, new long[0], new long[0], new long[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 releases");
    assertThatThrownBy(
            () -> PacedRuns.of(10, new long[] {0, 10}, new long[] {0, 10}, new long[] {12, 14}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("run 1 is out of order");
  }
}
