package org.rpx.agent.measure;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Rounding to 3 places, which is what every figure printed from here has: milliseconds, MiB and β.
 * This room imports no other, so it has the rule for itself.
 */
final class Thousandths {
  private Thousandths() {}

  /** As Python's {@code round(value, 3)}: the exact binary value, ties to even. */
  static double round(double value) {
    return new BigDecimal(value).setScale(3, RoundingMode.HALF_EVEN).doubleValue();
  }
}
