package org.rpx.agent.trace;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what stands behind the equals sign of an input. */
final class ValuesParser {
  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+");
  private static final Pattern RANGE = Pattern.compile("([+-]?\\d+)\\.\\.([+-]?\\d+)");
  // Not all that Double.parseDouble takes: no hexadecimal digits, no "1f".
  private static final Pattern REAL =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private ValuesParser() {}

  static boolean isRange(String word) {
    return RANGE.matcher(word).matches();
  }

  /**
   * "5", "1e-3", "-inf", "true", "0..1000".
   *
   * @throws IllegalArgumentException with what is wrong
   */
  static Values parse(String word, String dtype) {
    Matcher range = RANGE.matcher(word);
    if (range.matches()) return new Values.Range(whole(range.group(1)), whole(range.group(2)));
    String lower = word.toLowerCase(Locale.ROOT);
    if (dtype.equals("bool")) {
      if (lower.equals("true")) return new Values.Fill(1L);
      if (lower.equals("false")) return new Values.Fill(0L);
      throw new IllegalArgumentException("bool is true or false, not \"" + word + "\"");
    }
    if (DtypeLimits.floating(dtype)) return new Values.Fill(real(word, lower, dtype));
    if (WHOLE.matcher(word).matches()) return new Values.Fill(whole(word));
    throw new IllegalArgumentException(
        "\"" + word + "\" is neither an integer, as " + dtype + " wants, nor a range low..high");
  }

  private static double real(String word, String lower, String dtype) {
    switch (lower) {
      case "inf", "+inf":
        return Double.POSITIVE_INFINITY;
      case "-inf":
        return Double.NEGATIVE_INFINITY;
      case "nan":
        return Double.NaN;
      default:
    }
    if (!REAL.matcher(word).matches()) {
      throw new IllegalArgumentException(
          "\"" + word + "\" is no number, inf or nan, as " + dtype + " wants");
    }
    double value = Double.parseDouble(word);
    if (Double.isInfinite(value))
      throw new IllegalArgumentException(word + " is beyond " + dtype + "; write inf for infinity");
    return value;
  }

  private static long whole(String word) {
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(word + " is beyond 64 bits", e);
    }
  }
}
