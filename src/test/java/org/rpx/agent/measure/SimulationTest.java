package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rpx.agent.measure.SimulatedSeries.autoregressive;
import static org.rpx.agent.measure.SimulatedSeries.drifting;
import static org.rpx.agent.measure.SimulatedSeries.heavyTailed;
import static org.rpx.agent.measure.SimulatedSeries.lognormal;
import static org.rpx.agent.measure.SimulatedSeries.stepping;
import static org.rpx.agent.measure.SimulatedSeries.twoModes;
import static org.rpx.agent.measure.SimulatedSeries.warmingUp;

import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.rpx.agent.measure.LevelChange.Kind;

/** A thousand measurements each of workloads whose truth is known. Seeds are fixed. */
class SimulationTest {
  private static final int MEASUREMENTS = 1000;
  private static final int RUNS = 1000;

  static Stream<Arguments> known() {
    DoubleUnaryOperator narrow = p -> SimulatedSeries.lognormalPercentile(0.1, p);
    return Stream.of(
        Arguments.of("lognormal", lognormal(0.1), narrow, List.of(50.0, 95.0, 99.0), 0.93),
        Arguments.of(
            "heavy-tailed",
            heavyTailed(),
            (DoubleUnaryOperator) SimulatedSeries::heavyTailedPercentile,
            List.of(50.0, 95.0, 99.0),
            0.93),
        Arguments.of(
            "two modes",
            twoModes(0.5),
            (DoubleUnaryOperator) SimulatedSeries::twoModesPercentile,
            List.of(50.0, 95.0, 99.0),
            0.93),
        Arguments.of("AR 0.5", autoregressive(0.5, 0.1), narrow, List.of(50.0, 95.0, 99.0), 0.90),
        Arguments.of("AR 0.8", autoregressive(0.8, 0.1), narrow, List.of(50.0, 95.0), 0.90),
        Arguments.of("AR 0.9", autoregressive(0.9, 0.1), narrow, List.of(50.0, 95.0), 0.90),
        Arguments.of(
            "two modes that last",
            twoModes(0.1),
            (DoubleUnaryOperator) SimulatedSeries::twoModesPercentile,
            List.of(50.0, 95.0, 99.0),
            0.90));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("known")
  void intervalsHoldTheTruePercentile(
      String name,
      SimulatedSeries.Kind kind,
      DoubleUnaryOperator truth,
      List<Double> percentiles,
      double least) {
    int[][] found =
        measurements(kind)
            .map(
                samples ->
                    Percentiles.of(samples).at(percentiles).stream()
                        .mapToInt(e -> held(e, truth.applyAsDouble(e.p())))
                        .toArray())
            .toArray(int[][]::new);
    for (int i = 0; i < percentiles.size(); i++) {
      int at = i;
      long given = Stream.of(found).filter(f -> f[at] >= 0).count();
      long held = Stream.of(found).filter(f -> f[at] == 1).count();
      assertThat(given).as("intervals of p%s", percentiles.get(i)).isGreaterThan(950);
      assertThat(held / (double) given)
          .as("share that holds p%s", percentiles.get(i))
          .isGreaterThanOrEqualTo(least);
    }
  }

  /** Three exceedances do not show that they come in bursts; then no interval beats a false one. */
  @Test
  void intervalsOfFewCorrelatedSamplesAreSeldomFalse() {
    double truth = SimulatedSeries.lognormalPercentile(0.1, 99);
    long wrong =
        measurements(autoregressive(0.9, 0.1), 300)
            .filter(samples -> held(Percentiles.of(samples).at(99), truth) == 0)
            .count();
    assertThat(wrong).isLessThanOrEqualTo(MEASUREMENTS / 20);
  }

  private static int held(PercentileEstimate estimate, double truth) {
    if (estimate.interval() == null) return -1;
    return estimate.interval().contains(truth) ? 1 : 0;
  }

  static Stream<Arguments> steady() {
    return Stream.of(
        Arguments.of("lognormal", lognormal(0.1)),
        Arguments.of("wide lognormal", lognormal(0.5)),
        Arguments.of("heavy-tailed", heavyTailed()),
        Arguments.of("AR 0.5", autoregressive(0.5, 0.1)),
        Arguments.of("AR 0.9", autoregressive(0.9, 0.1)),
        Arguments.of("AR 0.95", autoregressive(0.95, 0.1)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("steady")
  void steadyRunsAreSeldomFlagged(String name, SimulatedSeries.Kind kind) {
    assertThat(share(kind, changes -> !changes.isEmpty())).isLessThanOrEqualTo(0.05);
  }

  static Stream<Arguments> changing() {
    SimulatedSeries.Kind correlated = autoregressive(0.8, 0.1);
    return Stream.of(
        Arguments.of("5 % drift", drifting(heavyTailed(), 0.05), Kind.TREND),
        Arguments.of("10 % drift down", drifting(heavyTailed(), -0.1), Kind.TREND),
        Arguments.of("30 % drift, correlated", drifting(correlated, 0.3), Kind.TREND),
        Arguments.of("warm-up", warmingUp(heavyTailed(), 0.5, 30), Kind.WARM_UP),
        Arguments.of("slow warm-up", warmingUp(heavyTailed(), 0.3, 100), Kind.WARM_UP),
        Arguments.of("warm-up, correlated", warmingUp(correlated, 1, 50), Kind.WARM_UP),
        Arguments.of("throttled at 60 %", stepping(heavyTailed(), 0.15, 0.6), Kind.SHIFT),
        Arguments.of("two modes", twoModes(0.5), Kind.TWO_MODES),
        Arguments.of("two modes that last", twoModes(0.05), Kind.TWO_MODES));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changing")
  void changesOfLevelAreFlagged(String name, SimulatedSeries.Kind kind, Kind expected) {
    assertThat(
            share(kind, changes -> changes.stream().anyMatch(change -> change.kind() == expected)))
        .isGreaterThanOrEqualTo(0.95);
  }

  private static double share(SimulatedSeries.Kind kind, Predicate<List<LevelChange>> flagged) {
    return measurements(kind).map(Steadiness::changes).filter(flagged).count()
        / (double) MEASUREMENTS;
  }

  private static Stream<Samples> measurements(SimulatedSeries.Kind kind) {
    return measurements(kind, RUNS);
  }

  private static Stream<Samples> measurements(SimulatedSeries.Kind kind, int runs) {
    return IntStream.range(0, MEASUREMENTS)
        .parallel()
        .mapToObj(seed -> SimulatedSeries.samples(kind.draw(runs, new Random(7919L * seed + 1))));
  }
}
