package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rpx.agent.measure.LevelChange.Kind;

class SteadinessTest {
  private static List<LevelChange> changes(SimulatedSeries.Kind kind, int runs) {
    return Steadiness.changes(SimulatedSeries.samples(kind.draw(runs, new Random(3))));
  }

  @Test
  void fewRunsAreNotJudged() {
    assertThat(changes(SimulatedSeries.lognormal(0.1), Steadiness.LEAST_RUNS - 1)).isNull();
    assertThat(changes(SimulatedSeries.lognormal(0.1), Steadiness.LEAST_RUNS)).isEmpty();
  }

  @Test
  void equalRunsAreSteady() {
    assertThat(changes(SimulatedSeries.lognormal(0), 200)).isEmpty();
  }

  @Test
  void saysHowLargeADriftIs() {
    LevelChange change =
        changes(SimulatedSeries.drifting(SimulatedSeries.lognormal(0.02), 0.2), 1000).get(0);

    assertThat(change.kind()).isEqualTo(Kind.TREND);
    assertThat(change.share()).isCloseTo(0.2, within(0.02));
  }

  @Test
  void saysWhereALevelChanges() {
    LevelChange change =
        changes(SimulatedSeries.stepping(SimulatedSeries.lognormal(0.02), 0.3, 0.7), 1000).get(0);

    assertThat(change.kind()).isEqualTo(Kind.SHIFT);
    assertThat(change.share()).isCloseTo(0.3, within(0.02));
    assertThat(change.fromRun()).isBetween(670, 720);
  }

  /** After 150 runs 3 ‰ are left. */
  @Test
  void saysHowLongWarmUpReaches() {
    LevelChange change =
        changes(SimulatedSeries.warmingUp(SimulatedSeries.lognormal(0.02), 0.5, 30), 1000).get(0);

    assertThat(change.kind()).isEqualTo(Kind.WARM_UP);
    assertThat(change.share()).isCloseTo(0.45, within(0.05));
    assertThat(change.fromRun()).isBetween(50, 150);
  }

  @Test
  void saysHowFarModesAreApart() {
    LevelChange change = changes(SimulatedSeries.twoModes(0.5), 1000).get(0);

    assertThat(change.kind()).isEqualTo(Kind.TWO_MODES);
    assertThat(change.share()).isCloseTo(0.3, within(0.02));
    assertThat(change.kind().remedy()).isNotBlank();
  }

  /** A certain drift of 1 % is not worth a word. */
  @Test
  void smallChangesAreLeftAlone() {
    assertThat(changes(SimulatedSeries.drifting(SimulatedSeries.lognormal(0.005), 0.01), 1000))
        .isEmpty();
  }

  /** 40 and 80 ns are one tick of a coarse clock apart, not two modes. */
  @Test
  void ticksOfTheClockAreNoModes() {
    SimulatedSeries.Kind ticks =
        (n, random) -> random.ints(n, 1, 3).mapToDouble(tick -> 40.0 * tick).toArray();
    assertThat(changes(ticks, 1000)).isEmpty();
  }

  @Test
  void aMillionRunsAreJudgedToo() {
    assertThat(changes(SimulatedSeries.heavyTailed(), 1_000_000)).isEmpty();
    assertThat(changes(SimulatedSeries.drifting(SimulatedSeries.heavyTailed(), 0.03), 1_000_000))
        .extracting(LevelChange::kind)
        .containsExactly(Kind.TREND);
  }

  /** S = 10 of 5 values in order: (10 - 1) / √(5 · 4 · 15 / 18) = 2.2045 (Kendall). */
  @Test
  void scoreIsThatOfMannAndKendall() {
    assertThat(Trend.score(new double[] {1, 2, 3, 4, 5})).isCloseTo(2.2045, within(1e-4));
    assertThat(Trend.score(new double[] {5, 4, 3, 2, 1})).isCloseTo(-2.2045, within(1e-4));
    assertThat(Trend.score(new double[] {1, 1, 1})).isZero();
  }

  /** Slopes of the pairs of (0, 2, 1): 2, 1/2, -1. */
  @Test
  void slopeIsTheMedianOfAllPairs() {
    assertThat(Trend.slope(new double[] {0, 2, 1})).isEqualTo(0.5);
  }

  @Test
  void modesAreTwoGroupsWithNothingBetween() {
    assertThat(Modes.of(new double[] {1, 9, 1, 9, 1, 9, 1, 9})).containsExactly(1, 9);
    assertThat(Modes.of(new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})).isNull();
    assertThat(Modes.of(new double[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 9})).isNull();
  }
}
