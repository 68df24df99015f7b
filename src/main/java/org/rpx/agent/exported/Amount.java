package org.rpx.agent.exported;

import java.math.BigDecimal;

/**
 * A number in the middle of a size expression: an exact fraction as long as it can be one, else a
 * double, as sympy and Python have it. What does not fit into 64 bits is an ArithmeticException.
 *
 * @param top of the fraction
 * @param bottom of the fraction, above 0; 0 where the number is {@code real}
 */
record Amount(long top, long bottom, double real) {
  static final String BY_ZERO = "division by zero";
  static final Amount ZERO = whole(0);
  static final Amount ONE = whole(1);

  static Amount whole(long value) {
    return new Amount(value, 1, 0);
  }

  static Amount of(boolean truth) {
    return truth ? ONE : ZERO;
  }

  static Amount real(double value) {
    return new Amount(0, 0, value);
  }

  static Amount fraction(long top, long bottom) {
    if (bottom == 0) throw new ArithmeticException(BY_ZERO);
    if (bottom < 0) return fraction(Math.negateExact(top), Math.negateExact(bottom));
    long a = Math.absExact(top);
    long b = bottom;
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return new Amount(top / a, bottom / a, 0);
  }

  boolean exact() {
    return bottom != 0;
  }

  double value() {
    return exact() ? (double) top / bottom : real;
  }

  boolean truth() {
    return exact() ? top != 0 : real != 0;
  }

  Amount plus(Amount other) {
    if (!exact() || !other.exact()) return real(value() + other.value());
    if (bottom == 1 && other.bottom == 1) return whole(Math.addExact(top, other.top));
    return fraction(
        Math.addExact(Math.multiplyExact(top, other.bottom), Math.multiplyExact(other.top, bottom)),
        Math.multiplyExact(bottom, other.bottom));
  }

  Amount times(Amount other) {
    if (!exact() || !other.exact()) return real(value() * other.value());
    return fraction(Math.multiplyExact(top, other.top), Math.multiplyExact(bottom, other.bottom));
  }

  Amount negated() {
    return exact() ? new Amount(Math.negateExact(top), bottom, 0) : real(-real);
  }

  Amount over(Amount other) {
    if (!other.truth()) throw new ArithmeticException(BY_ZERO);
    if (!exact() || !other.exact()) return real(value() / other.value());
    return times(fraction(other.bottom, other.top));
  }

  /** As Python divides whole numbers with "/". */
  Amount realOver(Amount other) {
    if (!other.truth()) throw new ArithmeticException(BY_ZERO);
    return real(value() / other.value());
  }

  /** As Python's "//": of floats by their remainder, as the quotient may round up to the next. */
  Amount floorOver(Amount divisor) {
    if (exact() && divisor.exact()) return over(divisor).floor();
    return plus(modulo(divisor).negated()).over(divisor).rounded();
  }

  /** Of the divisor's sign, as in Python. */
  Amount modulo(Amount divisor) {
    if (!divisor.truth()) throw new ArithmeticException(BY_ZERO);
    if (!exact() || !divisor.exact()) {
      double by = divisor.value();
      double rest = value() % by;
      return real(rest != 0 && rest < 0 != by < 0 ? rest + by : rest);
    }
    return plus(over(divisor).floor().times(divisor).negated());
  }

  Amount absolute() {
    return compare(ZERO) < 0 ? negated() : this;
  }

  Amount power(Amount exponent) {
    if (!truth() && exponent.value() < 0) throw new ArithmeticException(BY_ZERO);
    if (!exact() || !exponent.exact() || exponent.bottom != 1)
      return real(Math.pow(value(), exponent.value()));
    if (exponent.top < 0) return ONE.over(power(exponent.negated()));
    Amount result = ONE;
    // Past 64 steps a base above 1 has overflowed; 0, 1 and -1 repeat with period 2.
    long steps = Math.min(exponent.top, 64 + (exponent.top & 1));
    for (long i = 0; i < steps; i++) result = result.times(this);
    return result;
  }

  Amount floor() {
    return exact() ? whole(Math.floorDiv(top, bottom)) : whole(toLong(Math.floor(real)));
  }

  Amount ceiling() {
    return negated().floor().negated();
  }

  Amount truncated() {
    return value() < 0 ? ceiling() : floor();
  }

  /** To the nearest, halves to the even one, as Python rounds. */
  Amount rounded() {
    return whole(toLong(Math.rint(value())));
  }

  int compare(Amount other) {
    if (!exact() || !other.exact()) return Double.compare(value(), other.value());
    return Long.compare(
        Math.multiplyExact(top, other.bottom), Math.multiplyExact(other.top, bottom));
  }

  /** As a size: an ArithmeticException where it is not whole. */
  long whole() {
    if (exact() && bottom == 1) return top;
    if (exact() || real != Math.rint(real)) throw new ArithmeticException("not a whole number");
    return toLong(real);
  }

  private static long toLong(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value))
      throw new ArithmeticException("not a number");
    return new BigDecimal(value).longValueExact();
  }
}
