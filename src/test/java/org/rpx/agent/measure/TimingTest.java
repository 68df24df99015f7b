package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rpx.agent.measure.StoppingRule.StoppedBy;

class TimingTest {
  private static final double MS = 1e6;

  private static Timing.Result run(StoppingRule rule, Workload workload) {
    return Timing.run(workload, rule, () -> false);
  }

  private static SimulatedWorkload noisy(double sigma) {
    Random random = new Random(1);
    return new SimulatedWorkload(i -> MS * Math.exp(sigma * random.nextGaussian()));
  }

  @Test
  void theDefaultStopsByPrecisionButNotBeforeP99HasItsSamples() {
    Timing.Result result = run(StoppingRule.DEFAULT, new SimulatedWorkload(i -> MS));

    assertThat(result.samples().count()).isEqualTo(300);
    assertThat(result.stoppedBy()).isEqualTo(StoppedBy.PRECISION);
  }

  /** Half of the interval of 1000 such runs is 1.25 · 1.96 · 20 % / √1000 = 1.5 %. */
  @Test
  void theDefaultStopsByIterations() {
    Timing.Result result = run(StoppingRule.DEFAULT, noisy(0.2));

    assertThat(result.samples().count()).isEqualTo(1000);
    assertThat(result.stoppedBy()).isEqualTo(StoppedBy.ITERATIONS);
  }

  @Test
  void theDefaultStopsByDuration() {
    Timing.Result result = run(StoppingRule.DEFAULT, new SimulatedWorkload(i -> 100 * MS));

    assertThat(result.samples().count()).isEqualTo(30);
    assertThat(result.stoppedBy()).isEqualTo(StoppedBy.DURATION);
    assertThat(result.stoppedBy().key()).isEqualTo("duration");
  }

  @Test
  void theDefaultTakesTenOfASlowOne() {
    Timing.Result result = run(StoppingRule.DEFAULT, new SimulatedWorkload(i -> 1000 * MS));

    assertThat(result.samples().count()).isEqualTo(10);
    assertThat(result.stoppedBy()).isEqualTo(StoppedBy.DURATION);
  }

  @Test
  void iterationsRunHoweverLongTheyTake() {
    Timing.Result result =
        run(StoppingRule.of(7, null, null), new SimulatedWorkload(i -> 60_000 * MS));

    assertThat(result.samples().count()).isEqualTo(7);
    assertThat(result.stoppedBy()).isEqualTo(StoppedBy.ITERATIONS);
  }

  @Test
  void aDurationTakesAsManyAsBeginInIt() {
    Timing.Result result =
        run(StoppingRule.of(null, Duration.ofMillis(500), null), new SimulatedWorkload(i -> 3e3));

    // 500 ms hold 166,666 runs of 3 µs, and one more that is not over.
    assertThat(result.samples().count()).isEqualTo(166_667);
    assertThat(result.stoppedBy()).isEqualTo(StoppedBy.DURATION);
    assertThat(result.samples().startNs(166_666)).isEqualTo(166_666 * 3000L);
  }

  /** Half of the interval is 1 % with (1.25 · 1.96 · 10 % / 1 %)² = 600 runs. */
  @Test
  void aPrecisionEndsOnceItIsReached() {
    Timing.Result result = run(StoppingRule.of(null, null, 0.01), noisy(0.1));

    assertThat(result.stoppedBy()).isEqualTo(StoppedBy.PRECISION);
    assertThat(result.samples().count()).isBetween(300, 1200);
    assertThat(Percentiles.of(result.samples()).at(50).relativeHalfWidth())
        .isLessThanOrEqualTo(0.01);
  }

  @Test
  void aPrecisionThatIsNotReachedEndsByTheOtherLimit() {
    assertThat(run(StoppingRule.of(500, null, 0.0001), noisy(0.1)).stoppedBy())
        .isEqualTo(StoppedBy.ITERATIONS);
    assertThat(run(StoppingRule.of(null, Duration.ofSeconds(1), 0.0001), noisy(0.1)).stoppedBy())
        .isEqualTo(StoppedBy.DURATION);
  }

  @Test
  void keepsWhatRanBeforeItWasCancelled() {
    SimulatedWorkload workload = noisy(0.5);
    Timing.Result result =
        Timing.run(workload, StoppingRule.of(null, null, 0.0001), () -> workload.runs > 100);

    assertThat(result.stoppedBy()).isEqualTo(StoppedBy.CANCELLED);
    assertThat(result.samples().count()).isEqualTo((int) workload.runs);
    assertThat(Timing.run(noisy(1), StoppingRule.DEFAULT, () -> true).samples().count()).isZero();
  }

  @Test
  void refusesWhatIsOutOfRange() {
    assertThatThrownBy(() -> StoppingRule.of(0, null, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("10000000");
    assertThatThrownBy(() -> StoppingRule.of(null, Duration.ZERO, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("duration");
    assertThatThrownBy(() -> StoppingRule.of(null, null, 1.0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 % is 0.01");
  }
}
