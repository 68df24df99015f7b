package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatisticsTest {
  /** Nanoseconds with a long tail, unsorted. */
  private static final long[] TAILED = {
    1034, 998, 1207, 1001, 1199, 5020, 1000, 1003, 999, 1010, 73021
  };

  /** Expected: numpy 2.4.6, {@code np.percentile(TAILED, p)}. */
  @ParameterizedTest
  @CsvSource({
    "0, 998.0",
    "1, 998.1",
    "5, 998.5",
    "25, 1000.5",
    "50, 1010.0",
    "75, 1203.0",
    "90, 5020.0",
    "95, 39020.5",
    "99, 66220.9",
    "99.9, 72340.99",
    "100, 73021.0"
  })
  void percentilesAreThoseOfNumpy(double p, double expected) {
    // numpy rounds twice, so its last digits differ: 66220.90000000002, 72340.99000000014.
    assertThat(Statistics.of(TAILED).percentile(p)).isCloseTo(expected, within(1e-9));
  }

  /** Expected: numpy 2.4.6, {@code np.percentile([2.5, -1.25, 7.75, 0.5], p)}. */
  @ParameterizedTest
  @CsvSource({"10, -0.725", "33, 0.4825", "50, 1.5", "62.5, 2.25", "97.5, 7.35625"})
  void percentilesOfDoublesAreThoseOfNumpy(double p, double expected) {
    double[] samples = {2.5, -1.25, 7.75, 0.5};
    assertThat(Statistics.of(samples).percentile(p)).isCloseTo(expected, within(1e-12));
  }

  /**
   * The definition in whole numbers, for p = k/10: with h = (n-1) k, the value is x[i] + (x[i+1] -
   * x[i]) r / 1000, where i = h div 1000 and r = h mod 1000.
   */
  @Test
  void percentilesAreTheDefinitionForEveryCountTo1000() {
    Random random = new Random(1);
    for (int n = 1; n <= 1000; n++) {
      long[] ns = random.longs(n, 0, 1L << 40).toArray();
      long[] sorted = ns.clone();
      Arrays.sort(sorted);
      Statistics statistics = Statistics.of(ns);
      for (int k : new int[] {0, 1, 10, 250, 333, 500, 900, 950, 990, 999, 1000}) {
        long h = (n - 1L) * k;
        int i = (int) (h / 1000);
        long low = sorted[i];
        long high = sorted[Math.min(i + 1, n - 1)];
        BigInteger thousandfold =
            BigInteger.valueOf(low)
                .multiply(BigInteger.valueOf(1000))
                .add(BigInteger.valueOf(high - low).multiply(BigInteger.valueOf(h % 1000)));
        double expected =
            new BigDecimal(thousandfold)
                .divide(BigDecimal.valueOf(1000), MathContext.UNLIMITED)
                .doubleValue();
        assertThat(statistics.percentile(k / 10.0))
            .as("n=%d p=%s", n, k / 10.0)
            .isEqualTo(expected);
      }
    }
  }

  /** Neighbours an ulp apart are where interpolation in floating point overshoots. */
  @Test
  void percentilesNeverFallAndStayWithinMinAndMax() {
    Random random = new Random(2);
    for (int round = 0; round < 50; round++) {
      double base = random.nextDouble() * 1e9;
      double[] samples =
          random
              .ints(1 + random.nextInt(40), 0, 4)
              .mapToDouble(u -> base + u * Math.ulp(base))
              .toArray();
      Statistics statistics = Statistics.of(samples);
      double previous = statistics.min();
      for (int k = 0; k <= 1000; k++) {
        double value = statistics.percentile(k / 10.0);
        assertThat(value).isBetween(previous, statistics.max());
        previous = value;
      }
      assertThat(previous).isEqualTo(statistics.max());
      assertThat(statistics.mean()).isBetween(statistics.min(), statistics.max());
    }
  }

  /**
   * For n below 100 the index n p / 100 gives the minimum at p = 1; interpolation lies above it.
   */
  @Test
  void lowPercentilesOfFewSamplesAreNotTheMinimum() {
    assertThat(Statistics.of(new long[] {0, 100}).percentile(1)).isEqualTo(1.0);
  }

  /** Expected: numpy 2.4.6, mean, std(ddof=1), and median(|x - median(x)|) of TAILED. */
  @Test
  void momentsAreThoseOfNumpy() {
    Statistics statistics = Statistics.of(TAILED);

    assertThat(statistics.count()).isEqualTo(11);
    assertThat(statistics.min()).isEqualTo(998);
    assertThat(statistics.max()).isEqualTo(73021);
    assertThat(statistics.median()).isEqualTo(1010);
    assertThat(statistics.mean()).isCloseTo(7953.818181818182, within(1e-9));
    assertThat(statistics.standardDeviation()).isCloseTo(21613.32251560681, within(1e-8));
    assertThat(statistics.mad()).isEqualTo(12);
  }

  /** Summed in floating point, three times 0.1 has the mean 0.10000000000000002. */
  @Test
  void meanOfEqualSamplesIsThatSample() {
    assertThat(Statistics.of(new double[] {0.1, 0.1, 0.1}).mean()).isEqualTo(0.1);
  }

  @Test
  void oneSampleIsEveryPercentileAndHasNoDeviation() {
    Statistics statistics = Statistics.of(new long[] {7});

    assertThat(statistics.percentile(0)).isEqualTo(7);
    assertThat(statistics.percentile(99.9)).isEqualTo(7);
    assertThat(statistics.percentile(100)).isEqualTo(7);
    assertThat(statistics.standardDeviation()).isNull();
    assertThat(statistics.mad()).isZero();
  }

  @Test
  void copiesItsInput() {
    long[] ns = {3, 1, 2};
    double[] samples = {3, 1, 2};
    Statistics ofNs = Statistics.of(ns);
    Statistics ofSamples = Statistics.of(samples);

    assertThat(ns).containsExactly(3, 1, 2);
    assertThat(samples).containsExactly(3, 1, 2);
    ns[0] = 99;
    samples[0] = 99;
    assertThat(ofNs.max()).isEqualTo(3);
    assertThat(ofSamples.max()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 100.1, Double.NaN})
  void refusesAPercentileOutOfRange(double p) {
    assertThatThrownBy(() -> Statistics.of(TAILED).percentile(p))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 to 100")
        .hasMessageContaining(String.valueOf(p));
  }

  @Test
  void refusesWhatIsNoSample() {
    assertThatThrownBy(() -> Statistics.of(new long[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no samples");
    assertThatThrownBy(() -> Statistics.of(new double[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no samples");
    assertThatThrownBy(() -> Statistics.of(new double[] {1, Double.NaN}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sample 1 is NaN");
    assertThatThrownBy(() -> Statistics.of(new long[] {1, 2, Long.MIN_VALUE}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sample 2");
    assertThat(Statistics.of(new long[] {1L << 53}).max()).isEqualTo(9007199254740992.0);
  }
}
