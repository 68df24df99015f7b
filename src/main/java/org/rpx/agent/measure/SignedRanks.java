package org.rpx.agent.measure;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The pseudo-median of differences and its interval by Wilcoxon's signed ranks: the median of the
 * Walsh averages (d<sub>i</sub> + d<sub>j</sub>) / 2, i ≤ j (Hodges and Lehmann, 1963; Hollander,
 * Wolfe and Chicken, 2014, 3.2 and 3.3). Nearly as sharp as a mean where differences are normal,
 * and barely moved by bursts. Averages are counted, not listed: n log n time, no extra memory.
 */
final class SignedRanks {
  private static final int EXACT = 50;
  // How near to an average the search ends, as a share of the range of all differences.
  private static final double CLOSE = 1e-13;

  private final double[] sorted;
  private final double inflation;

  /** Differences in the order in which they were measured, 1 or more. */
  SignedRanks(double[] differences) {
    sorted = differences.clone();
    Arrays.sort(sorted);
    inflation = Autocorrelation.inflation(differences.length, i -> rank(differences[i]));
  }

  /** The median of the Walsh averages. */
  double center() {
    long averages = averages();
    return averages % 2 == 1
        ? average((averages + 1) / 2)
        : (average(averages / 2) + average(averages / 2 + 1)) / 2;
  }

  /**
   * The interval, widened where differences resemble their neighbours; null where there are too few
   * for the confidence.
   */
  Interval interval(double confidence) {
    double tail = (1 - confidence) / 2;
    int n = sorted.length;
    double half = averages() / 2.0;
    double drop = half - (n <= EXACT ? exact(n, tail) : normal(n, tail));
    if (drop >= half) return null;
    long rank = (long) Math.floor(half - drop * Math.sqrt(inflation));
    return rank < 1 ? null : new Interval(average(rank), average(averages() + 1 - rank));
  }

  /** The median of the differences themselves. */
  double median() {
    int n = sorted.length;
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }

  /**
   * The interval of the median by signs alone, likewise widened. Wider where differences are
   * normal, far narrower where many a turn was held up: hold-ups on one side reach its ends later.
   */
  Interval intervalOfMedian(double confidence) {
    int n = sorted.length;
    OrderStatistics.Ranks ranks = OrderStatistics.ranks(n, n / inflation, 0.5, confidence);
    return ranks == null ? null : new Interval(sorted[ranks.low() - 1], sorted[ranks.high() - 1]);
  }

  /** The largest c with P(W &lt; c) ≤ tail, 0 where there is none. */
  static int exact(int n, double tail) {
    int most = n * (n + 1) / 2;
    double[] ways = new double[most + 1];
    ways[0] = 1;
    for (int rank = 1; rank <= n; rank++) {
      for (int sum = most; sum >= 0; sum--) {
        ways[sum] = (ways[sum] + (sum >= rank ? ways[sum - rank] : 0)) / 2;
      }
    }
    double below = 0;
    int c = 0;
    while (below + ways[c] <= tail) below += ways[c++];
    return c;
  }

  private static double normal(int n, double tail) {
    double z = NormalDistribution.of(0, 1).inverseSurvivalProbability(tail);
    return n * (n + 1.0) / 4 - z * Math.sqrt(n * (n + 1.0) * (2.0 * n + 1) / 24);
  }

  private long averages() {
    return sorted.length * (sorted.length + 1L) / 2;
  }

  /** The average of that rank, from 1: the least t with as many averages at or below it. */
  private double average(long rank) {
    double low = sorted[0];
    double high = sorted[sorted.length - 1];
    if (atMost(low) >= rank) return low;
    double close = CLOSE * (high - low);
    while (high - low > close) {
      double middle = low + (high - low) / 2;
      if (atMost(middle) >= rank) high = middle;
      else low = middle;
    }
    return high;
  }

  private long atMost(double t) {
    long count = 0;
    int j = sorted.length - 1;
    for (int i = 0; i < sorted.length; i++) {
      while (j >= i && sorted[i] + (sorted[j] - sorted[i]) / 2 > t) j--;
      if (j < i) break;
      count += j - i + 1;
    }
    return count;
  }

  private double rank(double value) {
    int at = Arrays.binarySearch(sorted, value);
    return at < 0 ? -at - 1 : at;
  }
}
