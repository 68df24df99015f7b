package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignedRanksTest {
  /** The published critical values of W, two-sided, are the largest with P(W ≤ w) ≤ tail. */
  @ParameterizedTest
  @CsvSource({
    "6, 0.025, 0",
    "8, 0.025, 3",
    "10, 0.025, 8",
    "15, 0.025, 25",
    "20, 0.025, 52",
    "25, 0.025, 89",
    "8, 0.005, 0",
    "10, 0.005, 3",
    "20, 0.005, 37"
  })
  void exactTailsAreThoseOfTables(int n, double tail, int critical) {
    assertThat(SignedRanks.exact(n, tail)).isEqualTo(critical + 1);
  }

  @Test
  void tooFewHaveNoInterval() {
    assertThat(new SignedRanks(new double[] {1, 2, 3, 4, 5}).interval(0.95)).isNull();
    assertThat(new SignedRanks(new double[] {4, 1, 6, 3, 2, 5}).interval(0.95))
        .isEqualTo(new Interval(1, 6));
  }

  /** Against all averages, listed and sorted. */
  @Test
  void centerAndEndsAreWalshAverages() {
    Random random = new Random(1);
    for (int n = 8; n <= 49; n++) {
      double[] d = random.doubles(n, -1, 2).toArray();
      double[] walsh = new double[n * (n + 1) / 2];
      int k = 0;
      for (int i = 0; i < n; i++) for (int j = i; j < n; j++) walsh[k++] = (d[i] + d[j]) / 2;
      Arrays.sort(walsh);
      SignedRanks ranks = new SignedRanks(d);
      double median = (walsh[(k - 1) / 2] + walsh[k / 2]) / 2;

      assertThat(ranks.center()).isCloseTo(median, within(1e-12));
      if (Autocorrelation.inflation(n, i -> rank(d, i)) > 1) continue;
      int c = SignedRanks.exact(n, 0.025);
      assertThat(ranks.interval(0.95).low()).isCloseTo(walsh[c - 1], within(1e-12));
      assertThat(ranks.interval(0.95).high()).isCloseTo(walsh[k - c], within(1e-12));
    }
  }

  private static double rank(double[] d, int i) {
    return Arrays.stream(d).filter(x -> x < d[i]).count();
  }

  /** 40 and 61 of 100, as for any median; 1 to 100 in an order without memory. */
  @Test
  void intervalBySignsIsThatOfAMedian() {
    double[] d = new double[100];
    for (int i = 0; i < 100; i++) d[i] = 1 + i * 37 % 100;
    SignedRanks ranks = new SignedRanks(d);

    assertThat(ranks.median()).isEqualTo(50.5);
    assertThat(ranks.intervalOfMedian(0.95)).isEqualTo(new Interval(40, 61));
  }

  @Test
  void equalDifferencesAreTheCenter() {
    SignedRanks ranks = new SignedRanks(new double[100]);

    assertThat(ranks.center()).isZero();
    assertThat(ranks.interval(0.99)).isEqualTo(new Interval(0, 0));
  }
}
