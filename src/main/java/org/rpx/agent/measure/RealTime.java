package org.rpx.agent.measure;

import java.util.List;

/**
 * Whether a model keeps up with a control loop.
 *
 * @param hz the loop's rate
 * @param beta share of the loop's period that the median latency takes, to 3 places
 * @param realTime whether {@code beta} is at most 1
 */
public record RealTime(double hz, double beta, boolean realTime) {
  /** The rates that {@code rpx_benchmark} judges robots by. */
  public static final List<Double> RATES_HZ = List.of(5.0, 10.0, 30.0);

  /**
   * β = p50 / (1000 / Hz), rounded to 3 places as Python rounds.
   *
   * @param p50Ms median latency in milliseconds, 0 or more
   * @param hz the loop's rate, above 0
   * @throws IllegalArgumentException if either is out of range or not finite
   */
  public static double beta(double p50Ms, double hz) {
    if (!(Double.isFinite(p50Ms) && p50Ms >= 0)) {
      throw new IllegalArgumentException(
          "p50Ms must be a finite number of 0 or more, was "
              + p50Ms
              + "; without a measured latency there is no verdict");
    }
    if (!(Double.isFinite(hz) && hz > 0)) {
      throw new IllegalArgumentException(
          "hz must be a finite number above 0, was " + hz + "; give the loop's rate");
    }
    return Thousandths.round(p50Ms / (1000.0 / hz));
  }

  /** The verdict at one rate; arguments and errors as {@link #beta}. */
  public static RealTime at(double p50Ms, double hz) {
    double beta = beta(p50Ms, hz);
    // The rounded value decides, so that the printed one never contradicts the verdict.
    return new RealTime(hz, beta, beta <= 1.0);
  }

  /** The verdicts at {@link #RATES_HZ}, in that order; errors as {@link #beta}. */
  public static List<RealTime> verdicts(double p50Ms) {
    return RATES_HZ.stream().map(hz -> at(p50Ms, hz)).toList();
  }
}
