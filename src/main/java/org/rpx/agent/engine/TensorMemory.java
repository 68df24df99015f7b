package org.rpx.agent.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.rpx.agent.trace.TensorInfo;

/**
 * A tensor's memory, and what it is. Valid until the session's next inputs, run or close; to read
 * it later may end the process.
 *
 * @param path where in the arguments or the outputs it lies: "0", "state.1"
 * @param tensor its dtype, shape and storage
 * @param bytes null where they cannot be read
 * @param unreadable why, as "has layout SparseCsr, …"; null where they can
 */
public record TensorMemory(String path, TensorInfo tensor, ByteBuffer bytes, String unreadable) {
  // A buffer's, less what its memory is aligned by.
  private static final long MOST_BYTES = Integer.MAX_VALUE - 128;
  private static final String TOO_LARGE =
      "has more than 2 GiB, which no buffer of Java's holds: use a smaller batch";

  /** The same under another path. */
  public TensorMemory at(String path) {
    return new TensorMemory(path, tensor, bytes, unreadable);
  }

  static List<TensorMemory> read(RecordReader r) {
    List<TensorMemory> all = new ArrayList<>();
    while (r.more()) {
      String path = r.string();
      String unreadable = r.string();
      long address = r.number();
      long bytes = r.number();
      if (bytes > MOST_BYTES) unreadable = TOO_LARGE;
      all.add(
          unreadable.isEmpty()
              ? new TensorMemory(path, r.tensor(), memory(address, bytes), null)
              : new TensorMemory(path, r.tensor(), null, unreadable));
    }
    return all;
  }

  private static ByteBuffer memory(long start, long bytes) {
    if (bytes == 0) return ByteBuffer.allocateDirect(0);
    return HostMemory.at(start, bytes).order(ByteOrder.nativeOrder());
  }
}
