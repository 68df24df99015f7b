package org.rpx.agent.measure;

/**
 * A percentile of the samples, and where the true one lies.
 *
 * @param p which, in [0, 100]
 * @param value by linear interpolation, in the samples' unit; null where there are too few samples
 *     to say anything of it. The median is given for any count
 * @param interval distribution-free 95 % interval of the true percentile, widened where samples
 *     resemble their neighbours; null where there are too few
 * @param samples how many there are
 * @param effective as how many independent samples they count, at most {@code samples}
 * @param needed fewest independent samples that an interval takes; null where no number is enough
 *     (p = 0 and 100)
 */
public record PercentileEstimate(
    double p, Double value, Interval interval, int samples, double effective, Integer needed) {
  /** Whether the flag TOO_FEW_SAMPLES is due: a figure is missing for want of samples. */
  public boolean tooFewSamples() {
    return interval == null && needed != null;
  }

  /** Half of the interval's width over the value, or null where either is missing. */
  public Double relativeHalfWidth() {
    return interval == null || value == null || value == 0 ? null : interval.halfWidth() / value;
  }

  /** "p50", "p99.9". */
  public static String name(double p) {
    return "p" + (p == Math.rint(p) ? String.valueOf((long) p) : String.valueOf(p));
  }

  /** Why a figure is missing, in one line with its remedy; null where none is. */
  public String reason() {
    if (needed == null) return "the extremes have no interval; min and max say what was seen";
    if (interval != null) return null;
    return samples < needed
        ? name(p) + " needs " + needed + " samples, has " + samples + "; run longer"
        : name(p)
            + " needs "
            + needed
            + " independent samples; these "
            + samples
            + " resemble their neighbours and count as "
            + (long) effective
            + "; run longer";
  }
}
