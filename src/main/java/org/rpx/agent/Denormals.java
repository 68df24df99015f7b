package org.rpx.agent;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.rpx.agent.engine.TensorMemory;
import org.rpx.agent.report.Warning;
import org.rpx.agent.report.Warning.Code;

/**
 * Looks for subnormal floats, on which many processors compute some hundred times slower, in the
 * inputs and outputs of a forward. Those inside of it are not seen: most come from subnormal inputs
 * or go on to the outputs. Half precision is left out: on the CPU it is widened first, where its
 * subnormals are plain numbers.
 */
final class Denormals {
  /** Elements of a tensor that are looked at, its first ones. */
  static final int MOST_ELEMENTS = 1 << 20;

  private static final int MOST_TENSORS = 64;
  private static final int MOST_NAMED = 3;
  private static final Set<String> SEEN =
      Set.of("float32", "complex64", "float64", "complex128", "bfloat16");

  private final List<String> found = new ArrayList<>();

  /** The flag; null where none was seen. */
  Warning flag() {
    if (found.isEmpty()) return null;
    int more = found.size() - MOST_NAMED;
    String named = String.join(", ", found.subList(0, Math.min(MOST_NAMED, found.size())));
    return new Warning(
        Code.DENORMALS,
        named
            + (more > 0 ? " and " + more + " more" : "")
            + ": processors compute on subnormal floats up to a hundred times slower; time it with real data"
            + " (--input-file) or larger values (--input SHAPE=FILL)");
  }

  /**
   * Looks at tensors, while their memory is valid.
   *
   * @param kind "input" or "output"
   */
  void look(String kind, List<TensorMemory> tensors) {
    for (TensorMemory data : tensors.subList(0, Math.min(MOST_TENSORS, tensors.size()))) {
      if (data.bytes() == null || !SEEN.contains(data.tensor().dtype())) continue;
      int width = width(data.tensor().dtype());
      int elements = (int) Math.min(MOST_ELEMENTS, data.bytes().remaining() / width);
      int subnormal = count(data.bytes(), width, elements);
      if (subnormal > 0)
        found.add(
            (kind + " " + data.path()).strip()
                + ": "
                + subnormal
                + " of "
                + elements
                + " values are subnormal");
    }
  }

  /** Of a real number; a complex one has two. */
  private static int width(String dtype) {
    return dtype.equals("bfloat16") ? 2 : dtype.matches("float32|complex64") ? 4 : 8;
  }

  /** Exponent 0 and a fraction that is not: IEEE 754; bfloat16 is the upper half of a float32. */
  static int count(ByteBuffer bytes, int width, int elements) {
    int count = 0;
    int start = bytes.position();
    for (int i = 0; i < elements; i++) {
      long exponent;
      long fraction;
      if (width == 8) {
        long bits = bytes.getLong(start + 8 * i);
        exponent = bits & 0x7ff0000000000000L;
        fraction = bits & 0x000fffffffffffffL;
      } else {
        int bits = width == 4 ? bytes.getInt(start + 4 * i) : bytes.getShort(start + 2 * i) << 16;
        exponent = bits & 0x7f800000;
        fraction = bits & 0x007fffff;
      }
      if (exponent == 0 && fraction != 0) count++;
    }
    return count;
  }
}
