package org.rpx.agent.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * A figure as people read it: four significant digits and the unit that suits its size. Rounding
 * comes before the choice of the unit, so that 999.99 µs reads 1.000 ms.
 *
 * @param value digits, with a point where one is needed
 * @param unit with its prefix; empty for a bare number
 */
record Quantity(String value, String unit) {
  private static final MathContext DIGITS = new MathContext(4, RoundingMode.HALF_EVEN);
  private static final String[] TIMES = {"ns", "µs", "ms", "s"};
  private static final String[] PREFIXES = {"", "k", "M", "G", "T", "P", "E"};
  private static final String[] BINARY = {"MiB", "GiB", "TiB"};
  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);
  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

  /** Milliseconds as ns, µs, ms or s. */
  static Quantity time(double ms) {
    return scaled(new BigDecimal(ms).movePointRight(6), THOUSAND, TIMES, "");
  }

  /** A number of {@code unit}, with an SI prefix: {@code count(2e9, "FLOP")} is 2.000 GFLOP. */
  static Quantity count(double number, String unit) {
    return scaled(new BigDecimal(number), THOUSAND, PREFIXES, unit);
  }

  /** Bytes as B, kB, MB, GB: powers of 1000. */
  static Quantity bytes(double bytes) {
    return count(bytes, "B");
  }

  /** Mebibytes as MiB, GiB, TiB: powers of 1024. */
  static Quantity mebibytes(double mib) {
    return scaled(new BigDecimal(mib), KIBI, BINARY, "");
  }

  /** Value and unit with a space between. */
  String text() {
    return unit.isEmpty() ? value : value + " " + unit;
  }

  private static Quantity scaled(
      BigDecimal exact, BigDecimal step, String[] prefixes, String unit) {
    BigDecimal rounded = exact.round(DIGITS);
    int prefix = 0;
    while (prefix < prefixes.length - 1 && rounded.abs().compareTo(step) >= 0) {
      exact = exact.divide(step, MathContext.DECIMAL64);
      rounded = exact.round(DIGITS);
      prefix++;
    }
    return new Quantity(digits(exact, rounded, prefix), prefixes[prefix] + unit);
  }

  private static String digits(BigDecimal exact, BigDecimal rounded, int prefix) {
    if (rounded.signum() == 0) {
      return "0";
    }
    // Without a prefix a whole number is exact, and zeros behind a point would say more.
    if (prefix == 0 && exact.stripTrailingZeros().scale() <= 0) {
      return exact.toBigInteger().toString();
    }
    int leading = rounded.precision() - rounded.scale();
    return rounded.setScale(Math.max(0, 4 - leading), RoundingMode.HALF_EVEN).toPlainString();
  }
}
