package org.rpx.agent.arrays;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * An array to be written, under a name of its own. It keeps the buffer that it is given, whose
 * position it does not move.
 *
 * @param dtype PyTorch's name; an IllegalArgumentException where NumPy has none for it
 * @param bytes from the buffer's position to its limit: packed, the last dimension innermost, in
 *     the machine's byte order
 */
public record NamedArray(String name, String dtype, List<Long> shape, ByteBuffer bytes) {
  public NamedArray {
    shape = List.copyOf(shape);
    long elements = 1;
    for (long size : shape) elements = Math.multiplyExact(elements, size);
    long wanted = Math.multiplyExact(elements, NpyDtype.itemBytes(name, dtype));
    if (wanted > Integer.MAX_VALUE)
      throw new IllegalArgumentException(
          name + " has more than 2 GiB of data; give a smaller batch");
    if (bytes.remaining() != wanted)
      throw new IllegalArgumentException(
          name + " has " + bytes.remaining() + " bytes, its shape wants " + wanted);
  }

  /**
   * Whether it is written as float32, which holds its values without loss: NumPy has no bfloat16.
   */
  public boolean widened() {
    return dtype.equals("bfloat16");
  }
}
