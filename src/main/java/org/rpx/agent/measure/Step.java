package org.rpx.agent.measure;

/**
 * The best single step through medians of blocks, beside the best straight line.
 *
 * @param at the first block of the second level
 * @param blocks how many there are
 * @param height the second level less the first
 * @param ofStep sum of absolute deviations from the two levels
 * @param ofLine that from the line
 */
record Step(int at, int blocks, double height, double ofStep, double ofLine) {
  private static final double CRITICAL = 2.2;

  /** The step is where the variance within both levels is least; blocks have no outliers. */
  static Step of(double[] x) {
    int n = x.length;
    double total = 0;
    for (double value : x) total += value;
    int at = n / 2;
    double before = x[0];
    double best = -1;
    for (int k = 2; k <= n - 2; k++) {
      before += x[k - 1];
      double gap = before / k - (total - before) / (n - k);
      double between = gap * gap * k * (n - k);
      if (between > best) {
        best = between;
        at = k;
      }
    }
    double height = level(x, at, n, 0) - level(x, 0, at, 0);
    double ofStep = deviation(x, 0, at, 0) + deviation(x, at, n, 0);
    return new Step(at, n, height, ofStep, deviation(x, 0, n, Trend.slope(x)));
  }

  /** Whether a step says clearly more than a line does. */
  boolean isAbrupt() {
    return ofStep < 0.7 * ofLine;
  }

  /**
   * Whether chance makes no such step: the largest sum of signs around the median (a CUSUM, Page
   * 1954) over what samples with the memory of those beside the step would give. Without a step it
   * passes 2.2 in 1 of 10,000 (Kolmogorov's distribution).
   *
   * @param series what the blocks were made of
   */
  boolean isCertain(double[] series) {
    int n = series.length;
    int from = at * (n / blocks);
    double[] flat = series.clone();
    for (int i = from; i < n; i++) flat[i] -= height;
    double middle = Blocks.median(flat.clone());
    double memory = Autocorrelation.inflation(n, i -> flat[i] > middle ? 1 : 0);
    double median = Blocks.median(series.clone());
    double sum = 0;
    double largest = 0;
    for (double value : series) {
      sum += Double.compare(value, median);
      largest = Math.max(largest, Math.abs(sum));
    }
    return largest / Math.sqrt(n * memory) > CRITICAL;
  }

  private static double level(double[] x, int from, int to, double slope) {
    double[] rest = new double[to - from];
    for (int i = from; i < to; i++) rest[i - from] = x[i] - slope * i;
    return Blocks.median(rest);
  }

  private static double deviation(double[] x, int from, int to, double slope) {
    double level = level(x, from, to, slope);
    double sum = 0;
    for (int i = from; i < to; i++) sum += Math.abs(x[i] - slope * i - level);
    return sum;
  }
}
