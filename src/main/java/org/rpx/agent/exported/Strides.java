package org.rpx.agent.exported;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Puts a view's elements into the order of its dimensions, the last innermost. */
final class Strides {
  private Strides() {}

  /** Whether they lie so already. */
  static boolean packed(List<Long> sizes, List<Long> strides) {
    if (sizes.contains(0L)) return true;
    long expected = 1;
    for (int d = sizes.size() - 1; d >= 0; d--) {
      if (sizes.get(d) != 1 && strides.get(d) != expected) return false;
      expected *= sizes.get(d);
    }
    return true;
  }

  /**
   * A packed copy. No element lies beyond the buffer, and the copy has less than 2 GiB: the caller
   * has checked it.
   *
   * @param itemBytes of an element: 1, 2, 4, 8 or 16
   * @param strides in elements
   */
  static ByteBuffer pack(ByteBuffer from, int itemBytes, List<Long> sizes, List<Long> strides) {
    int rank = sizes.size();
    int bytes = itemBytes;
    for (long size : sizes) bytes = Math.toIntExact(bytes * size);
    ByteBuffer in = from.duplicate().order(ByteOrder.nativeOrder());
    ByteBuffer out = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    long[] index = new long[rank];
    long at = 0;
    while (out.hasRemaining()) {
      int i = (int) at * itemBytes;
      switch (itemBytes) {
        case 1 -> out.put(in.get(i));
        case 2 -> out.putShort(in.getShort(i));
        case 4 -> out.putInt(in.getInt(i));
        case 8 -> out.putLong(in.getLong(i));
        default -> out.putLong(in.getLong(i)).putLong(in.getLong(i + 8));
      }
      for (int d = rank - 1; d >= 0; d--) {
        at += strides.get(d);
        if (++index[d] < sizes.get(d)) break;
        at -= index[d] * strides.get(d);
        index[d] = 0;
      }
    }
    return out.flip();
  }
}
