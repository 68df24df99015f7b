package org.rpx.agent.measure;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * What a set of samples says, in the samples' own unit. The samples are copied and sorted once;
 * nothing here rounds for print.
 */
public final class Statistics {
  /** Above this not every long is a double: 2<sup>53</sup>, 104 days of nanoseconds. */
  private static final long LARGEST_EXACT = 1L << 53;

  private final double[] sorted;

  private Statistics(double[] owned) {
    if (owned.length == 0) {
      throw new IllegalArgumentException(
          "no samples; statistics need at least one, so ask only after something was measured");
    }
    Arrays.sort(owned);
    sorted = owned;
  }

  /**
   * Statistics of nanoseconds.
   *
   * @param ns samples in any order; copied, not changed
   * @throws IllegalArgumentException if there are none, or one lies beyond ±2<sup>53</sup>
   */
  public static Statistics of(long[] ns) {
    double[] values = new double[ns.length];
    for (int i = 0; i < ns.length; i++) {
      if (ns[i] > LARGEST_EXACT || ns[i] < -LARGEST_EXACT) {
        throw new IllegalArgumentException(
            "sample "
                + i
                + " is "
                + ns[i]
                + " ns, more than 104 days; check the clock it came from");
      }
      values[i] = ns[i];
    }
    return new Statistics(values);
  }

  /**
   * Statistics of samples in any unit.
   *
   * @param samples in any order; copied, not changed
   * @throws IllegalArgumentException if there are none, or one is not finite
   */
  public static Statistics of(double[] samples) {
    for (int i = 0; i < samples.length; i++) {
      if (!Double.isFinite(samples[i])) {
        throw new IllegalArgumentException(
            "sample " + i + " is " + samples[i] + "; leave out what was not measured");
      }
    }
    return new Statistics(samples.clone());
  }

  /** How many samples there are, 1 or more. */
  public int count() {
    return sorted.length;
  }

  /** The smallest sample. */
  public double min() {
    return sorted[0];
  }

  /** The largest sample. */
  public double max() {
    return sorted[sorted.length - 1];
  }

  /** The 50th percentile. */
  public double median() {
    return percentile(50);
  }

  /**
   * The p-th percentile by linear interpolation between order statistics (numpy's default; type 7
   * of Hyndman and Fan, 1996): with the samples sorted and numbered from 0, the value at position
   * {@code (count - 1) * p / 100}.
   *
   * <p>The sum is done exactly and rounded once to the nearest double. So a higher p never gives a
   * lower value, and no value lies outside its two neighbours.
   *
   * @param p in [0, 100], read as the decimal that it prints as: 99.9 means 999/1000
   * @throws IllegalArgumentException if {@code p} lies outside
   */
  public double percentile(double p) {
    if (!(p >= 0 && p <= 100)) {
      throw new IllegalArgumentException(
          "percentile must lie in 0 to 100, was " + p + "; the 99th is 99, not 0.99");
    }
    BigDecimal position =
        BigDecimal.valueOf(p)
            .multiply(BigDecimal.valueOf(sorted.length - 1L))
            .scaleByPowerOfTen(-2);
    int below = position.intValue();
    BigDecimal fraction = position.subtract(BigDecimal.valueOf(below));
    if (fraction.signum() == 0) {
      return sorted[below];
    }
    BigDecimal low = new BigDecimal(sorted[below]);
    BigDecimal high = new BigDecimal(sorted[below + 1]);
    return low.add(high.subtract(low).multiply(fraction)).doubleValue();
  }

  /** The arithmetic mean, never outside {@link #min()} to {@link #max()}. */
  public double mean() {
    // average() sums with compensation, yet may end an ulp outside: three times 0.1 must give 0.1.
    double mean = DoubleStream.of(sorted).average().orElseThrow();
    return Math.min(max(), Math.max(min(), mean));
  }

  /** The sample standard deviation (divisor count - 1), or null for one sample. */
  public Double standardDeviation() {
    if (sorted.length < 2) {
      return null;
    }
    double mean = mean();
    double squares = DoubleStream.of(sorted).map(x -> (x - mean) * (x - mean)).sum();
    return Math.sqrt(squares / (sorted.length - 1));
  }

  /**
   * The median absolute deviation from the median, as it is: not scaled by 1.4826 to match a normal
   * distribution's σ.
   */
  public double mad() {
    double median = median();
    // Deviations grow to both sides of the median: merged from there, they need no second array.
    int above = 0;
    int last = sorted.length - 1;
    while (above <= last && sorted[above] < median) above++;
    int below = above - 1;
    double previous = 0;
    double deviation = 0;
    for (int taken = 0; taken <= sorted.length / 2; taken++) {
      previous = deviation;
      boolean up = below < 0 || (above <= last && sorted[above] - median <= median - sorted[below]);
      deviation = up ? sorted[above++] - median : median - sorted[below--];
    }
    return sorted.length % 2 == 1 ? deviation : previous + (deviation - previous) / 2;
  }

  /** The sample of that rank, 1 for the smallest. */
  double ranked(int rank) {
    return sorted[rank - 1];
  }
}
