package org.rpx.agent.measure;

/**
 * A confidence interval, both ends included, in the unit of what it is of.
 *
 * @param low lower end
 * @param high upper end, not below {@code low}
 */
public record Interval(double low, double high) {
  /** Refuses ends that are not numbers, or stand the wrong way round. */
  public Interval {
    if (!(low <= high)) {
      throw new IllegalArgumentException(
          "interval from " + low + " to " + high + "; the lower end comes first");
    }
  }

  /** Whether {@code value} lies inside or on an end. */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }

  /** Whether this lies wholly inside {@code other}. */
  public boolean within(Interval other) {
    return other.low <= low && high <= other.high;
  }

  /** Half the distance between the ends. */
  public double halfWidth() {
    return (high - low) / 2;
  }
}
