package org.rpx.agent.measure;

import java.util.Arrays;

/** Medians of equal stretches of a series: robust to outliers, and few. */
final class Blocks {
  private Blocks() {}

  /** Medians of {@code count} stretches of equal length; what does not fill one is left out. */
  static double[] medians(double[] series, int count) {
    int length = series.length / count;
    double[] medians = new double[count];
    for (int i = 0; i < count; i++) {
      medians[i] = median(Arrays.copyOfRange(series, i * length, (i + 1) * length));
    }
    return medians;
  }

  /** The median; {@code owned} is sorted. */
  static double median(double[] owned) {
    Arrays.sort(owned);
    int n = owned.length;
    return n % 2 == 1 ? owned[n / 2] : (owned[n / 2 - 1] + owned[n / 2]) / 2;
  }

  /** Median absolute deviation from {@code center}, scaled to a normal distribution's σ. */
  static double spread(double[] values, double center) {
    double[] deviations = new double[values.length];
    for (int i = 0; i < values.length; i++) deviations[i] = Math.abs(values[i] - center);
    return 1.4826 * median(deviations);
  }
}
