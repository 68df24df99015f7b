package org.rpx.agent.measure;

/**
 * Whether a series rises or falls all along: the test of Mann (1945) and Kendall on medians of
 * blocks, and the slope of Theil and Sen (1968).
 */
final class Trend {
  private static final int MOST_BLOCKS = 64;
  // Mann and Kendall's normal approximation wants 8 (Kendall 1975 says 10).
  private static final int FEWEST_BLOCKS = 10;
  private static final int LEAST_BLOCK = 5;
  // A block has to be longer than the series remembers, or its neighbour says the same.
  private static final double BLOCK_OVER_MEMORY = 3;
  // Beyond it by chance: 1 in 500, and half as much again for what blocks still share.
  private static final double CRITICAL = 3.1;

  private Trend() {}

  /**
   * By how much {@code series} rises from its first to its last sample, or null where that is no
   * more than chance, or cannot be told because its samples resemble one another for too long.
   */
  static Double rise(double[] series) {
    int n = series.length;
    int blocks = Math.min(MOST_BLOCKS, n / LEAST_BLOCK);
    if (blocks < FEWEST_BLOCKS) return null;
    double slope = slope(Blocks.medians(series, blocks)) * blocks / n;
    // Memory of what is left without the trend, which itself would look like memory.
    double[] level = new double[n];
    for (int i = 0; i < n; i++) level[i] = series[i] - slope * i;
    double middle = Blocks.median(level.clone());
    double memory = Autocorrelation.inflation(n, i -> level[i] > middle ? 1 : 0);
    blocks = (int) Math.min(blocks, n / (BLOCK_OVER_MEMORY * memory));
    if (blocks < FEWEST_BLOCKS) return null;
    double[] medians = Blocks.medians(series, blocks);
    return Math.abs(score(medians)) < CRITICAL ? null : slope(medians) * blocks;
  }

  /** Mann and Kendall's S over its standard deviation without a trend. */
  static double score(double[] x) {
    long s = 0;
    for (int i = 0; i < x.length; i++) {
      for (int j = i + 1; j < x.length; j++) s += Double.compare(x[j], x[i]);
    }
    double n = x.length;
    return (s - Math.signum(s)) / Math.sqrt(n * (n - 1) * (2 * n + 5) / 18);
  }

  /** The median slope of all pairs, a step. */
  static double slope(double[] x) {
    double[] slopes = new double[x.length * (x.length - 1) / 2];
    int k = 0;
    for (int i = 0; i < x.length; i++) {
      for (int j = i + 1; j < x.length; j++) slopes[k++] = (x[j] - x[i]) / (j - i);
    }
    return Blocks.median(slopes);
  }
}
