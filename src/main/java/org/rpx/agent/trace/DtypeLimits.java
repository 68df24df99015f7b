package org.rpx.agent.trace;

/** The values that each dtype of an input can hold. */
final class DtypeLimits {
  private DtypeLimits() {}

  static boolean floating(String dtype) {
    return dtype.startsWith("float") || dtype.startsWith("bfloat");
  }

  /** Of one element. */
  static int itemBytes(String dtype) {
    return switch (dtype) {
      case "float64", "int64" -> 8;
      case "float32", "int32" -> 4;
      case "float16", "bfloat16", "int16" -> 2;
      case "int8", "uint8", "bool" -> 1;
      default -> throw new IllegalArgumentException("no input has the dtype " + dtype);
    };
  }

  /** The smallest integer; of truth values 0. */
  private static long least(String dtype) {
    boolean unsigned = dtype.equals("uint8") || dtype.equals("bool");
    return unsigned ? 0 : -1L << (8 * itemBytes(dtype) - 1);
  }

  /** The largest integer; of truth values 1. */
  private static long most(String dtype) {
    return dtype.equals("uint8") ? 255 : dtype.equals("bool") ? 1 : -1 - least(dtype);
  }

  /** The largest finite number. */
  private static double largest(String dtype) {
    return switch (dtype) {
      case "float64" -> Double.MAX_VALUE;
      case "bfloat16" -> 0x1.FEp127;
      case "float16" -> 65504;
      default -> Float.MAX_VALUE;
    };
  }

  static void check(Number value, String dtype) {
    if (floating(dtype)) {
      double number = value.doubleValue();
      if (Double.isFinite(number) && Math.abs(number) > largest(dtype)) {
        throw beyond(number, dtype, -largest(dtype), largest(dtype));
      }
    } else if (!(value instanceof Long whole)) {
      throw new IllegalArgumentException(value + " is no integer, which " + dtype + " holds");
    } else if (whole < least(dtype) || whole > most(dtype)) {
      throw beyond(whole, dtype, least(dtype), most(dtype));
    }
  }

  static void check(Values.Range range, String dtype) {
    if (floating(dtype) || dtype.equals("bool")) {
      throw new IllegalArgumentException(
          "a range is of integers, not of " + dtype + "; use int64, int32, int16, int8 or uint8");
    }
    if (range.low() >= range.high()) {
      throw new IllegalArgumentException(
          "the range is empty: it goes from " + range.low() + " up to, but not, " + range.high());
    }
    check(range.low(), dtype);
    check(range.high() - 1, dtype);
  }

  private static IllegalArgumentException beyond(
      Number value, String dtype, Number least, Number most) {
    return new IllegalArgumentException(
        value + " is beyond " + dtype + ", which goes from " + least + " to " + most);
  }
}
