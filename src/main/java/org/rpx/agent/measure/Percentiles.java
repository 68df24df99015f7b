package org.rpx.agent.measure;

import java.math.BigDecimal;
import java.util.List;

/**
 * Percentiles of samples in the order in which they ran, each with its 95 % interval. The order
 * matters: it tells how much neighbours resemble one another. Safe for use from several threads.
 */
public final class Percentiles {
  // Fewer exceedances than this do not show whether they come in bursts.
  private static final int THINNEST = 50;

  private final Samples samples;
  private final Statistics statistics;

  private Percentiles(Samples samples) {
    this.samples = samples;
    this.statistics = samples.statistics();
  }

  /**
   * Of all runs, in nanoseconds.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Percentiles of(Samples samples) {
    return new Percentiles(samples);
  }

  /** One estimate for each of {@code ps}, in that order; errors as {@link #at}. */
  public List<PercentileEstimate> at(List<Double> ps) {
    return ps.stream().map(this::at).toList();
  }

  /**
   * The p-th percentile. The interval is made of the order statistics that {@code effective}
   * independent samples would take, at their place among all samples.
   *
   * @param p in [0, 100]
   * @throws IllegalArgumentException if {@code p} lies outside
   */
  public PercentileEstimate at(double p) {
    return at(p, OrderStatistics.CONFIDENCE);
  }

  /** The same with an interval of another confidence. */
  PercentileEstimate at(double p, double confidence) {
    double value = statistics.percentile(p);
    int n = statistics.count();
    if (p == 0 || p == 100) return new PercentileEstimate(p, value, null, n, n, null);
    double q = BigDecimal.valueOf(p).scaleByPowerOfTen(-2).doubleValue();
    int needed = OrderStatistics.least(q, confidence);
    if (n < needed) {
      return new PercentileEstimate(p, p == 50 ? value : null, null, n, n, needed);
    }
    double effective = n / Math.max(inflation(value), inflation(wellFilled(q)));
    return new PercentileEstimate(
        p, value, interval(q, effective, confidence), n, effective, needed);
  }

  private double inflation(double level) {
    return Autocorrelation.inflation(
        statistics.count(), i -> samples.durationNs(i) > level ? 1 : 0);
  }

  /** The level nearest to the percentile that has {@link #THINNEST} samples on either side. */
  private double wellFilled(double q) {
    int n = statistics.count();
    int margin = Math.min(THINNEST, n / 2);
    return statistics.ranked((int) Math.max(margin, Math.min(n - margin, Math.round(q * n))));
  }

  private Interval interval(double q, double effective, double confidence) {
    OrderStatistics.Ranks ranks =
        OrderStatistics.ranks(statistics.count(), effective, q, confidence);
    return ranks == null
        ? null
        : new Interval(statistics.ranked(ranks.low()), statistics.ranked(ranks.high()));
  }
}
