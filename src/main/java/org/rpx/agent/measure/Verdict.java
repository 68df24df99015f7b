package org.rpx.agent.measure;

/** What a comparison comes to, of the second of two beside the first. */
public enum Verdict {
  /** The whole interval of the difference lies below 0, and not within the margin. */
  FASTER,
  /** The whole interval lies above 0, and not within the margin. */
  SLOWER,
  /** The whole interval lies within the margin: if there is a difference, it does not matter. */
  SAME,
  /** Neither: more has to be measured. */
  INCONCLUSIVE;

  /**
   * The verdict on a difference.
   *
   * @param difference interval of (second / first) - 1; null gives INCONCLUSIVE
   * @param margin what counts as the same, as a share: 0.01 is ±1 %
   */
  static Verdict on(Interval difference, double margin) {
    if (difference == null) return INCONCLUSIVE;
    if (difference.within(new Interval(-margin, margin))) return SAME;
    if (difference.high() < 0) return FASTER;
    return difference.low() > 0 ? SLOWER : INCONCLUSIVE;
  }
}
