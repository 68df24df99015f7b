package org.rpx.agent.measure;

import java.util.function.IntToDoubleFunction;

/**
 * By how much a series' neighbours resemble one another. Runs of one program are not independent
 * draws: load, clocks and caches carry over from one to the next, and n of them say as much as n/τ
 * independent ones, with τ = 1 + 2 Σ ρ<sub>k</sub> over all lags.
 */
final class Autocorrelation {
  /** A longer series is cut into so many means first, so that 10 million samples stay cheap. */
  private static final int MOST_MEANS = 4096;

  private Autocorrelation() {}

  /**
   * τ, at least 1. The sum ends by Geyer's initial monotone sequence (Practical Markov Chain Monte
   * Carlo, 1992, 3.3): sums of two neighbouring lags are positive and fall in a stationary series,
   * so the first that is not is noise. Batch means of a long series give τ = b s²(means) / s² ·
   * τ(means).
   */
  static double inflation(int n, IntToDoubleFunction series) {
    int width = (n + MOST_MEANS - 1) / MOST_MEANS;
    int count = width == 0 ? 0 : n / width;
    if (count < 4) return 1;
    double[] means = new double[count];
    double mean = 0;
    for (int i = 0; i < count * width; i++) {
      double x = series.applyAsDouble(i);
      means[i / width] += x / width;
      mean += x;
    }
    mean /= (double) count * width;
    double variance = 0;
    for (int i = 0; i < count * width; i++) {
      double d = series.applyAsDouble(i) - mean;
      variance += d * d;
    }
    variance /= (double) count * width;
    if (!(variance > 0)) return 1;
    for (int i = 0; i < count; i++) means[i] -= mean;
    double ofMeans = covariance(means, 0);
    if (!(ofMeans > 0)) return 1;
    if (width == 1 && looksIndependent(means, ofMeans)) return 1;
    return Math.max(1, width * ofMeans / variance * geyer(means, ofMeans));
  }

  /**
   * Whether neither the first lag nor the first five together show more than chance would
   * (one-sided 5 % each): ρ of independent samples is normal with variance 1/n (Bartlett, 1946).
   * Without this, noise in τ would cost independent samples their intervals where there are just
   * enough of them.
   */
  private static boolean looksIndependent(double[] x, double variance) {
    double sum = 0;
    for (int lag = 1; lag <= 5 && lag < x.length; lag++) {
      sum += covariance(x, lag) / variance;
      if ((lag == 1 || lag == 5) && sum > 1.645 * Math.sqrt((double) lag / x.length)) return false;
    }
    return true;
  }

  /** τ of a series without its mean. */
  private static double geyer(double[] x, double variance) {
    int n = x.length;
    double sum = 0;
    double last = Double.POSITIVE_INFINITY;
    int lag = 0;
    for (; lag + 1 < n / 2; lag += 2) {
      double pair = (covariance(x, lag) + covariance(x, lag + 1)) / variance;
      if (pair <= 0) break;
      last = Math.min(last, pair);
      sum += last;
    }
    // The mean was taken from the series itself, which costs each covariance τ/n of the variance.
    double shortfall = Math.max(0.25, 1 - 2.0 * lag / n);
    return (2 * sum - 1) / shortfall;
  }

  private static double covariance(double[] x, int lag) {
    double sum = 0;
    for (int i = lag; i < x.length; i++) sum += x[i] * x[i - lag];
    return sum / x.length;
  }
}
