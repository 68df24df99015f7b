package org.rpx.agent.arrays;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The elements of a packed array in the machine's byte order, as numbers. */
final class Elements {
  private final String dtype;
  private final ByteBuffer bytes;
  private final int first;

  Elements(NamedArray array) {
    this.dtype = array.dtype();
    this.bytes = array.bytes().duplicate().order(ByteOrder.nativeOrder());
    this.first = bytes.position();
  }

  /** An element of a floating-point dtype, without loss. */
  double real(int i) {
    return switch (dtype) {
      case "float64" -> bytes.getDouble(first + 8 * i);
      case "float32" -> bytes.getFloat(first + 4 * i);
      case "bfloat16" -> bfloat16(i);
      case "float16" -> half(bytes.getShort(first + 2 * i));
      default -> throw new IllegalStateException(dtype);
    };
  }

  /** bfloat16 is the upper half of a float32. */
  float bfloat16(int i) {
    return Float.intBitsToFloat(bytes.getShort(first + 2 * i) << 16);
  }

  /** An element of an integer or truth dtype, but for uint64. */
  long whole(int i) {
    return switch (dtype) {
      case "int64" -> bytes.getLong(first + 8 * i);
      case "int32" -> bytes.getInt(first + 4 * i);
      case "uint32" -> Integer.toUnsignedLong(bytes.getInt(first + 4 * i));
      case "int16" -> bytes.getShort(first + 2 * i);
      case "uint16" -> Short.toUnsignedLong(bytes.getShort(first + 2 * i));
      case "int8" -> bytes.get(first + i);
      case "uint8", "bool" -> Byte.toUnsignedLong(bytes.get(first + i));
      default -> throw new IllegalStateException(dtype);
    };
  }

  /** IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits. */
  private static double half(short bits) {
    int exponent = bits >> 10 & 0x1f;
    int fraction = bits & 0x3ff;
    double size;
    if (exponent == 0x1f) size = fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
    else if (exponent == 0) size = Math.scalb((double) fraction, -24);
    else size = Math.scalb((double) (0x400 | fraction), exponent - 25);
    return bits < 0 ? -size : size;
  }
}
