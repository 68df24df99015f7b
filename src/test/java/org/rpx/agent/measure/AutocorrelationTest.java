package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AutocorrelationTest {
  /** τ of an AR(1) series is (1 + φ) / (1 - φ): 3, 9 and 19. Over 200 series each. */
  @ParameterizedTest
  @CsvSource({"0.5, 1000, 12", "0.8, 1000, 12", "0.9, 1000, 12", "0.9, 200, 20", "0.9, 20000, 12"})
  void inflationIsThatOfTheSeries(double phi, int n, double percent) {
    double sum = 0;
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      double[] x = new double[n];
      double now = random.nextGaussian() / Math.sqrt(1 - phi * phi);
      for (int i = 0; i < n; i++) {
        x[i] = now;
        now = phi * now + random.nextGaussian();
      }
      sum += Autocorrelation.inflation(n, i -> x[i]);
    }
    assertThat(sum / 200).isCloseTo((1 + phi) / (1 - phi), Percentage.withPercentage(percent));
  }

  @Test
  void independentSeriesAreMostlyNotInflated() {
    int inflated = 0;
    double sum = 0;
    for (int seed = 0; seed < 1000; seed++) {
      double[] x = new Random(seed).doubles(300).toArray();
      double inflation = Autocorrelation.inflation(300, i -> x[i]);
      if (inflation > 1) inflated++;
      sum += inflation;
    }
    assertThat(inflated).isLessThan(120);
    assertThat(sum / 1000).isCloseTo(1, within(0.1));
  }

  /** Neighbours that differ say more, but that is not relied on. */
  @Test
  void isNeverBelowOne() {
    assertThat(Autocorrelation.inflation(100, i -> i % 2)).isEqualTo(1);
    assertThat(Autocorrelation.inflation(100, i -> 7)).isEqualTo(1);
    assertThat(Autocorrelation.inflation(0, i -> 7)).isEqualTo(1);
  }
}
