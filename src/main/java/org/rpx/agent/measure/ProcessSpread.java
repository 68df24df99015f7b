package org.rpx.agent.measure;

import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * How much fresh processes of one program differ, beside how well one process knows itself.
 *
 * @param processes how many
 * @param center geometric mean of their figures, in their unit
 * @param between 95 % interval of the center by Student's t on logarithms: it covers other
 *     processes too; null for one process
 * @param deviation relative standard deviation between processes; null for one
 * @param range largest over smallest - 1; null for one
 * @param within the largest relative half-width of the processes' own intervals; null where none
 *     has one
 */
public record ProcessSpread(
    int processes, double center, Interval between, Double deviation, Double range, Double within) {

  /**
   * Of one figure of each process.
   *
   * @param figures the same percentile of each process, above 0
   * @throws IllegalArgumentException if there are none, one has no value, or one is not above 0
   */
  public static ProcessSpread of(List<PercentileEstimate> figures) {
    if (figures.isEmpty()) {
      throw new IllegalArgumentException("no process; give the figure of at least one");
    }
    double[] values = new double[figures.size()];
    Double within = null;
    for (int i = 0; i < values.length; i++) {
      PercentileEstimate figure = figures.get(i);
      if (figure.value() == null) {
        throw new IllegalArgumentException("process " + i + " has no value: " + figure.reason());
      }
      values[i] = figure.value();
      Double half = figure.relativeHalfWidth();
      if (half != null && (within == null || half > within)) within = half;
    }
    double[] logarithms = Comparison.logarithms(values);
    double mean = Comparison.mean(logarithms);
    int n = values.length;
    if (n < 2) return new ProcessSpread(n, Math.exp(mean), null, null, null, within);
    double deviation = Math.sqrt(Comparison.variance(logarithms));
    double t =
        TDistribution.of(n - 1).inverseSurvivalProbability((1 - OrderStatistics.CONFIDENCE) / 2);
    double half = t * deviation / Math.sqrt(n);
    Statistics statistics = Statistics.of(values);
    return new ProcessSpread(
        n,
        Math.exp(mean),
        new Interval(Math.exp(mean - half), Math.exp(mean + half)),
        Math.expm1(deviation),
        statistics.max() / statistics.min() - 1,
        within);
  }
}
