package org.rpx.agent.monitor;

import java.util.stream.LongStream;

/**
 * What a histogram says, in nanoseconds. All but the count are null where it is 0.
 *
 * <p>Percentiles are by nearest rank, {@code sorted[ceil(q n)]} counted from 1, within {@link
 * MonitorSnapshot#QUANTILE_ERROR}; minimum, maximum and mean are exact.
 */
public record LatencyFigures(
    long count, Long min, Long p50, Long p95, Long p99, Long p999, Long max, Double mean) {

  static LatencyFigures of(Histogram h) {
    if (h.count() == 0) return new LatencyFigures(0, null, null, null, null, null, null, null);
    return new LatencyFigures(
        h.count(),
        h.min(),
        h.quantile(0.5),
        h.quantile(0.95),
        h.quantile(0.99),
        h.quantile(0.999),
        h.max(),
        (double) h.sum() / h.count());
  }

  /** The same of samples that are all there, in any order: exact throughout. */
  static LatencyFigures of(LongStream samples) {
    long[] sorted = samples.sorted().toArray();
    int n = sorted.length;
    if (n == 0) return new LatencyFigures(0, null, null, null, null, null, null, null);
    return new LatencyFigures(
        n,
        sorted[0],
        sorted[(int) Histogram.rank(0.5, n) - 1],
        sorted[(int) Histogram.rank(0.95, n) - 1],
        sorted[(int) Histogram.rank(0.99, n) - 1],
        sorted[(int) Histogram.rank(0.999, n) - 1],
        sorted[n - 1],
        LongStream.of(sorted).average().getAsDouble());
  }

  /**
   * Samples below which even the largest is, at 95 % confidence, no upper bound of a quantile:
   * ceil(ln 0.05 / ln q), so 59 for p95, 299 for p99 and 2995 for p99.9 (Wilks, 1941).
   */
  public static long neededFor(double quantile) {
    return (long) Math.ceil(Math.log(0.05) / Math.log(quantile));
  }
}
