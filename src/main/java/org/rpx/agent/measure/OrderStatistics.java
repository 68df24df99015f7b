package org.rpx.agent.measure;

import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * Which order statistics hold a percentile, whatever the distribution (David and Nagaraja, Order
 * Statistics, 2003, 7.1): of n independent samples, B of which lie below the true value, B is
 * binomial (n, q). So x<sub>(r)</sub> and x<sub>(s)</sub> hold it with a probability of at least
 * P(r ≤ B ≤ s-1).
 */
final class OrderStatistics {
  /** What every interval of a percentile is for. */
  static final double CONFIDENCE = 0.95;

  /** Ranks from 1 of both ends. */
  record Ranks(int low, int high) {}

  private OrderStatistics() {}

  /**
   * The ranks of the interval, or null where not even the smallest and the largest sample hold the
   * percentile with that confidence. Each tail is at most half of 1 - confidence; where the extreme
   * sample leaves more than that beyond itself, the other tail gets what remains.
   *
   * @param n samples, 1 or more
   * @param q the percentile as a share, strictly between 0 and 1
   */
  static Ranks ranks(int n, double q, double confidence) {
    double alpha = 1 - confidence;
    double aboveAll = Math.pow(q, n);
    double belowAll = Math.pow(1 - q, n);
    if (aboveAll + belowAll > alpha) return null;
    double lowTail = alpha / 2;
    double highTail = alpha / 2;
    if (aboveAll > highTail) lowTail = alpha - (highTail = aboveAll);
    else if (belowAll > lowTail) highTail = alpha - (lowTail = belowAll);

    BinomialDistribution below = BinomialDistribution.of(n, q);
    // The largest r with P(B < r) ≤ tail is the smallest k with P(B ≤ k) > tail.
    int low = below.inverseCumulativeProbability(lowTail);
    if (below.cumulativeProbability(low) <= lowTail) low++;
    low = Math.max(1, low);
    // The smallest s with P(B ≥ s) ≤ tail.
    int high = below.inverseSurvivalProbability(highTail) + 1;
    return new Ranks(low, Math.min(high, n));
  }

  /**
   * The ranks among n samples that count as {@code effective} independent ones: those of so many,
   * at the same place among all, rounded outwards. Null where {@code effective} are too few.
   */
  static Ranks ranks(int n, double effective, double q, double confidence) {
    int independent = (int) effective;
    Ranks ranks = independent < 1 ? null : ranks(independent, q, confidence);
    if (ranks == null) return null;
    // The r-th of m lies where the r/(m+1) quantile does.
    double scale = (n + 1.0) / (independent + 1.0);
    return new Ranks(
        (int) Math.max(1, Math.floor(ranks.low() * scale)),
        (int) Math.min(n, Math.ceil(ranks.high() * scale)));
  }

  /**
   * The fewest samples whose extremes hold the percentile: the least n with q<sup>n</sup> +
   * (1-q)<sup>n</sup> ≤ 1 - confidence. At 95 %: 6 for the median, 29, 59, 299 and 2995 for p90,
   * p95, p99 and p99.9.
   *
   * @param q strictly between 0 and 1
   */
  static int least(double q, double confidence) {
    double alpha = 1 - confidence;
    double larger = Math.max(q, 1 - q);
    // One term alone gives a bound from below; the other is negligible save near the median.
    int n = (int) Math.max(1, Math.floor(Math.log(alpha) / Math.log(larger)));
    while (Math.pow(q, n) + Math.pow(1 - q, n) > alpha) n++;
    return n;
  }
}
