package org.rpx.agent.measure;

import java.util.Arrays;

/**
 * Warm-up that reaches into the steady runs: the first window's median lies above those of nearly
 * all later windows of the same length, and far above their spread.
 *
 * @param excess of the first window over the later ones, in the series' unit
 * @param ends the first sample that is like the later ones
 */
record WarmUpTail(double excess, int ends) {
  private static final int SHORTEST_WINDOW = 8;
  private static final int FEWEST_WINDOWS = 12;
  // In spreads; large, since several lengths are tried and spreads of few windows are rough.
  private static final double CRITICAL = 5;
  private static final double LIKE_LATER = 2;

  /** Null where the first samples are like the others, or there are too few to say. */
  static WarmUpTail of(double[] series, double least) {
    for (int width = SHORTEST_WINDOW; series.length / width >= FEWEST_WINDOWS; width *= 2) {
      WarmUpTail tail = of(series, width, least);
      if (tail != null) return tail;
    }
    return null;
  }

  private static WarmUpTail of(double[] series, int width, double least) {
    double[] windows = Blocks.medians(series, series.length / width);
    // The last two thirds stand for the steady state.
    double[] later = Arrays.copyOfRange(windows, windows.length / 3, windows.length);
    double center = Blocks.median(later.clone());
    double spread = Blocks.spread(later, center);
    double excess = windows[0] - center;
    if (excess < Math.max(least, CRITICAL * spread)) return null;
    int asSlow = 0;
    for (double window : later) if (window >= windows[0]) asSlow++;
    if (asSlow > 0.02 * later.length) return null;
    int end = 1;
    while (end < windows.length / 3
        && windows[end] > center + Math.max(least / 2, LIKE_LATER * spread)) end++;
    return new WarmUpTail(excess, end * width);
  }
}
