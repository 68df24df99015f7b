package org.rpx.agent.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class HistogramTest {
  private static final double[] QUANTILES = {0.001, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1};

  /** Buckets by hand: 1 wide below 2048, then twice as wide from each power of two on. */
  @Test
  void bucketsAreThoseOfTheDefinition() {
    assertThat(Buckets.index(0)).isZero();
    assertThat(Buckets.index(2047)).isEqualTo(2047);
    assertThat(Buckets.index(2048)).isEqualTo(2048).isEqualTo(Buckets.index(2049));
    assertThat(Buckets.index(2050)).isEqualTo(2049);
    assertThat(Buckets.index(4095)).isEqualTo(3071);
    assertThat(Buckets.index(4096)).isEqualTo(3072).isEqualTo(Buckets.index(4099));
    assertThat(Buckets.COUNT).isEqualTo(2048 + 29 * 1024);
    assertThat(Buckets.index(Long.MAX_VALUE)).isEqualTo(Buckets.COUNT - 1);
    assertThat(Buckets.lowest(2048)).isEqualTo(2048);
    assertThat(Buckets.middle(2048)).isEqualTo(2049);
    assertThat(Buckets.middle(3072)).isEqualTo(4098);
  }

  @Test
  void everyBucketHoldsItsEnds() {
    for (int i = 0; i < Buckets.COUNT; i++) {
      long next = i + 1 < Buckets.COUNT ? Buckets.lowest(i + 1) : Buckets.LIMIT;
      assertThat(Buckets.index(Buckets.lowest(i))).isEqualTo(i);
      assertThat(Buckets.index(next - 1)).isEqualTo(i);
      assertThat(Buckets.index(Buckets.middle(i))).isEqualTo(i);
    }
  }

  @Test
  void quantilesLieWithinTheirErrorOfTheSortedSamples() {
    Random random = new Random(7);
    compare(() -> random.nextInt(100), 1000);
    compare(() -> 1_000_000 + random.nextInt(50_000), 1);
    compare(() -> (long) (5e6 * Math.exp(0.5 * random.nextGaussian())), 100_000);
    compare(() -> (long) Math.pow(10, 12 * random.nextDouble()), 20_001);
    compare(() -> random.nextInt(1000) == 0 ? 70_000_000 : 2_000_000, 10_000);
  }

  private static void compare(LongSupplier source, int count) {
    long[] samples = new long[count];
    Arrays.setAll(samples, i -> source.getAsLong());
    Histogram whole = new Histogram();
    Histogram other = new Histogram();
    for (int i = 0; i < count; i++) (i % 3 == 0 ? other : whole).add(samples[i]);
    whole.add(other);
    Arrays.sort(samples);
    for (double q : QUANTILES) {
      // The rank in whole thousandths, so that no rounding of the product is in the reference.
      long exact = samples[(int) ((Math.round(q * 1000) * count + 999) / 1000) - 1];
      assertThat((double) whole.quantile(q)).isBetween(exact * 0.999, exact * 1.001);
    }
    assertThat(whole.count()).isEqualTo(count);
    assertThat(whole.min()).isEqualTo(samples[0]);
    assertThat(whole.max()).isEqualTo(samples[count - 1]);
    assertThat(whole.sum()).isEqualTo(Arrays.stream(samples).sum());
  }

  @Test
  void ofAHundredTheNinetyNinthIsTheNinetyNinth() {
    Histogram histogram = new Histogram();
    for (int i = 1; i <= 100; i++) histogram.add(i);
    assertThat(histogram.quantile(0.5)).isEqualTo(50);
    assertThat(histogram.quantile(0.95)).isEqualTo(95);
    assertThat(histogram.quantile(0.99)).isEqualTo(99);
    assertThat(histogram.quantile(0.999)).isEqualTo(100);
  }

  @Test
  void aValueBeyondTheBucketsKeepsItsMaximum() {
    Histogram histogram = new Histogram();
    histogram.add(1L << 50);
    assertThat(histogram.max()).isEqualTo(1L << 50);
    assertThat(histogram.quantile(1)).isEqualTo(1L << 50);
  }

  @Test
  void clearedItIsAsNew() {
    Histogram histogram = new Histogram();
    histogram.add(5);
    histogram.add(9_000_000);
    histogram.clear();
    histogram.add(7);
    assertThat(LatencyFigures.of(histogram))
        .isEqualTo(new LatencyFigures(1, 7L, 7L, 7L, 7L, 7L, 7L, 7.0));
    assertThat(histogram.at(5)).isZero();
    assertThat(histogram.at(Buckets.index(9_000_000))).isZero();
  }

  /** The table of MLPerf's loadgen, at 95 %. */
  @Test
  void samplesThatAPercentileNeeds() {
    assertThat(LatencyFigures.neededFor(0.90)).isEqualTo(29);
    assertThat(LatencyFigures.neededFor(0.95)).isEqualTo(59);
    assertThat(LatencyFigures.neededFor(0.99)).isEqualTo(299);
    assertThat(LatencyFigures.neededFor(0.999)).isEqualTo(2995);
  }
}
