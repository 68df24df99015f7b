package org.rpx.agent.trace;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** What an input tensor holds. */
public sealed interface Values {
  Values DEFAULT = new Default();

  /** Floating point seeded uniform in [0, 1), integers 0, truth values true. */
  record Default() implements Values {}

  /**
   * One value in every element.
   *
   * @param value a Double, or a Long; 0 or 1 stands for a truth value
   */
  record Fill(Number value) implements Values {
    public Fill {
      boolean real = value instanceof Double || value instanceof Float;
      if (real) value = value.doubleValue();
      else value = value.longValue();
    }
  }

  /** Seeded uniform integers from {@code low} up to, but not, {@code high}. */
  record Range(long low, long high) implements Values {}

  /**
   * The elements of a file.
   *
   * @param name of the file, for people
   * @param bytes from the buffer's position to its limit: packed, the last dimension innermost, in
   *     the machine's byte order
   */
  record File(String name, ByteBuffer bytes) implements Values {
    public File {
      bytes = bytes.slice().order(ByteOrder.nativeOrder());
    }
  }

  /** In a report's words: "seeded uniform", "zeros", "fill 5", "range 0..1000", "file x.npy". */
  default String describe(String dtype) {
    boolean truth = dtype.equals("bool");
    if (this instanceof Fill fill) {
      if (truth) return "fill " + (fill.value().longValue() == 1);
      return "fill " + (DtypeLimits.floating(dtype) ? fill.value().doubleValue() : fill.value());
    }
    if (this instanceof Range range) return "range " + range.low() + ".." + range.high();
    if (this instanceof File file) return "file " + file.name();
    if (DtypeLimits.floating(dtype)) return "seeded uniform";
    return truth ? "true" : "zeros";
  }

  /**
   * Whether a tensor can hold them.
   *
   * @throws IllegalArgumentException with what does not fit
   */
  default void check(List<Long> shape, String dtype) {
    if (this instanceof Fill fill) DtypeLimits.check(fill.value(), dtype);
    if (this instanceof Range range) DtypeLimits.check(range, dtype);
    if (this instanceof File file) {
      BigInteger bytes = BigInteger.valueOf(DtypeLimits.itemBytes(dtype));
      for (long size : shape) bytes = bytes.multiply(BigInteger.valueOf(size));
      int given = file.bytes().remaining();
      if (!bytes.equals(BigInteger.valueOf(given))) {
        throw new IllegalArgumentException(
            file.name() + " has " + given + " bytes, its shape wants " + bytes);
      }
    }
  }
}
