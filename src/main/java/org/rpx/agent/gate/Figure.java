package org.rpx.agent.gate;

/**
 * One figure of a report, in the unit that its name ends with.
 *
 * @param value null where it is not known
 * @param low lower end of its 95 % interval; null, like {@code high}, where it is known exactly or
 *     has none
 * @param missing why the value is null, or why an estimate has no interval; null elsewhere
 */
public record Figure(Double value, Double low, Double high, String missing) {
  public Figure {
    if ((low == null) != (high == null))
      throw new IllegalArgumentException("an interval has two ends");
  }

  /** A count, known exactly. */
  public static Figure exact(double value) {
    return new Figure(value, null, null, null);
  }

  /** An estimate with its interval. */
  public static Figure estimate(double value, double low, double high) {
    return new Figure(value, low, high, null);
  }

  /** One that is not known, or an estimate that nothing bounds; and why. */
  public static Figure unsure(Double value, String why) {
    return new Figure(value, null, null, why);
  }

  boolean sure() {
    return value != null && missing == null;
  }

  double lowest() {
    return low == null ? value : low;
  }

  double highest() {
    return high == null ? value : high;
  }
}
