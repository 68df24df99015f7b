package org.rpx.agent.arrays;

import java.nio.ByteOrder;
import java.util.Map;

/** What NumPy calls PyTorch's dtypes. */
final class NpyDtype {
  private static final Map<String, String> CODES =
      Map.ofEntries(
          Map.entry("float16", "f2"),
          Map.entry("float32", "f4"),
          Map.entry("float64", "f8"),
          Map.entry("bfloat16", "f4"),
          Map.entry("complex64", "c8"),
          Map.entry("complex128", "c16"),
          Map.entry("int8", "i1"),
          Map.entry("int16", "i2"),
          Map.entry("int32", "i4"),
          Map.entry("int64", "i8"),
          Map.entry("uint8", "u1"),
          Map.entry("uint16", "u2"),
          Map.entry("uint32", "u4"),
          Map.entry("uint64", "u8"),
          Map.entry("bool", "b1"));

  private NpyDtype() {}

  /** As a file's header says it: "&lt;f4", "|u1". */
  static String descr(String dtype) {
    String code = CODES.get(dtype);
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    return (code.endsWith("1") ? "|" : little ? "<" : ">") + code;
  }

  /** Of one element in PyTorch's memory. */
  static int itemBytes(String name, String dtype) {
    String code = CODES.get(dtype);
    if (code == null)
      throw new IllegalArgumentException(
          name
              + " is "
              + dtype
              + ", which NumPy has no dtype for; let the model return it as float32"
              + (dtype.startsWith("q") ? " (dequantize)" : ""));
    return dtype.equals("bfloat16") ? 2 : Integer.parseInt(code.substring(1));
  }
}
