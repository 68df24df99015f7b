package org.rpx.agent.tier2;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Decimal rounding as Python's {@code round(float, n)} does it, so that a row written here holds
 * the same digits as one written by {@code rpx_benchmark}.
 */
public final class Rounding {
  private Rounding() {}

  /**
   * Rounds the exact binary value of {@code value} to {@code places} decimals, ties to even.
   *
   * <p>0.0625 at 3 places is a true tie and gives 0.062. 0.00015 at 4 places is not: the double
   * nearest to it lies below the tie, so it gives 0.0001. That is why the exact value counts
   * ({@code new BigDecimal}) and not its shortest decimal ({@code BigDecimal.valueOf}).
   *
   * @param value any double; NaN and the infinities come back unchanged
   * @param places decimals to keep, 0 or more
   * @throws IllegalArgumentException if {@code places} is negative
   */
  public static double halfEven(double value, int places) {
    if (places < 0) {
      throw new IllegalArgumentException(
          "places must be 0 or more, was " + places + "; say how many decimals to keep");
    }
    if (!Double.isFinite(value)) {
      return value;
    }
    double rounded = new BigDecimal(value).setScale(places, RoundingMode.HALF_EVEN).doubleValue();
    // BigDecimal has no negative zero; Python keeps the sign.
    return Math.copySign(rounded, value);
  }
}
