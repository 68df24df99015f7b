package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Two distributions side by side, run by run. */
class ComparisonOfPercentilesTest {
  private static Percentiles spread(int n, double scale) {
    // Each of 1 to n once, far from its neighbours.
    double[] values = new double[n];
    for (int i = 0; i < n; i++) values[i] = scale * ((i + 1) * 248L % (n + 1));
    return Percentiles.of(SimulatedSeries.samples(values));
  }

  /**
   * 400 runs hold their 90th percentile between the 342nd and the 377th with 99.5 %: binomial sums
   * in exact fractions.
   */
  @Test
  void percentilesDifferByTheFarEndsOfTheirIntervals() {
    Difference d = Comparison.percentile(spread(400, 1e3), spread(400, 2e3), 90, 0.01);

    assertThat(d.share()).isCloseTo(1, within(1e-12));
    assertThat(d.interval().low()).isCloseTo(2.0 * 342 / 377 - 1, within(1e-12));
    assertThat(d.interval().high()).isCloseTo(2.0 * 377 / 342 - 1, within(1e-12));
    assertThat(d.confidence()).isEqualTo(0.99);
    assertThat(d.verdict()).isEqualTo(Verdict.SLOWER);
    // 0.99^528 is the first power below 0.5 %.
    Difference few = Comparison.percentile(spread(400, 1e3), spread(400, 2e3), 99, 0.01);
    assertThat(few.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(few.share()).isNull();
    assertThat(few.reason()).contains("p99 needs 528 samples, has 400");
    assertThatThrownBy(() -> Comparison.percentile(spread(9, 1), spread(9, 1), 100, 0.01))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theIntervalOfAPercentileHoldsTheTruth() {
    Random random = new Random(5);
    int held = 0;
    for (int i = 0; i < 1000; i++) {
      double[] first = new double[400];
      double[] second = new double[400];
      for (int j = 0; j < 400; j++) {
        first[j] = 1e6 * Math.exp(0.2 * random.nextGaussian());
        second[j] = 1.1e6 * Math.exp(0.2 * random.nextGaussian());
      }
      Difference d =
          Comparison.percentile(
              Percentiles.of(SimulatedSeries.samples(first)),
              Percentiles.of(SimulatedSeries.samples(second)),
              95,
              0.01);
      assertThat(d.interval()).isNotNull();
      if (d.interval().contains(0.1)) held++;
    }
    assertThat(held).isGreaterThanOrEqualTo(985);
  }
}
