package org.rpx.agent.arrays;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Puts a file's elements into the order that a tensor's memory has. */
final class Arrangement {
  private Arrangement() {}

  /** A copy with the last dimension innermost and each element in the machine's byte order. */
  static ByteBuffer inMemory(ByteBuffer from, NpyHeader header) {
    ByteBuffer in = from.duplicate().order(header.order());
    ByteBuffer out = ByteBuffer.allocateDirect(in.limit()).order(ByteOrder.nativeOrder());
    int rank = header.shape().size();
    int[] index = new int[rank];
    int[] stride = strides(header);
    int at = 0;
    while (out.hasRemaining()) {
      switch (header.itemBytes()) {
        case 1 -> out.put(in.get(at));
        case 2 -> out.putShort(in.getShort(at));
        case 4 -> out.putInt(in.getInt(at));
        default -> out.putLong(in.getLong(at));
      }
      for (int d = rank - 1; d >= 0; d--) {
        at += stride[d];
        if (++index[d] < header.shape().get(d)) break;
        at -= index[d] * stride[d];
        index[d] = 0;
      }
    }
    return out.flip();
  }

  /** In bytes of the file, by dimension. An array without elements may have any sizes: 0. */
  private static int[] strides(NpyHeader header) {
    int rank = header.shape().size();
    int[] stride = new int[rank];
    if (header.shape().contains(0L)) return stride;
    int bytes = header.itemBytes();
    for (int i = 0; i < rank; i++) {
      int d = header.fortran() ? i : rank - 1 - i;
      stride[d] = bytes;
      bytes *= Math.toIntExact(header.shape().get(d));
    }
    return stride;
  }
}
