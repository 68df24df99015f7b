package org.rpx.agent.measure;

import java.util.Arrays;

/**
 * Whether values fall into two groups with next to nothing between them. They are split where the
 * variance within both groups is least (Otsu, 1979).
 */
final class Modes {
  // A smaller group moves the tail, not the level.
  private static final double LEAST_SHARE = 0.15;
  // One normal distribution split in two has 35 % of a group in the middle third, a uniform one 33
  // %.
  private static final double MOST_BETWEEN = 0.1;

  private Modes() {}

  /** The medians of both groups, {low, high}, or null where it is one group. */
  static double[] of(double[] values) {
    double[] x = values.clone();
    Arrays.sort(x);
    int n = x.length;
    int split = split(x);
    int smaller = Math.min(split, n - split);
    if (smaller < Math.max(3, LEAST_SHARE * n)) return null;
    double low = (x[(split - 1) / 2] + x[split / 2]) / 2;
    double high = (x[split + (n - split - 1) / 2] + x[split + (n - split) / 2]) / 2;
    double third = (high - low) / 3;
    int between = 0;
    for (double value : x) if (value > low + third && value < high - third) between++;
    return between <= MOST_BETWEEN * smaller ? new double[] {low, high} : null;
  }

  /** How many of the sorted values belong to the lower group. */
  private static int split(double[] x) {
    double total = 0;
    for (double value : x) total += value;
    double below = 0;
    double best = -1;
    int split = 0;
    for (int k = 1; k < x.length; k++) {
      below += x[k - 1];
      double gap = below / k - (total - below) / (x.length - k);
      double between = gap * gap * k * (x.length - k);
      if (between > best) {
        best = between;
        split = k;
      }
    }
    return split;
  }
}
