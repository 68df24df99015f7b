package org.rpx.agent.engine;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * Host memory that a session's tensors and Java share. It lives as long as a buffer over it can be
 * reached, so that a buffer outlives its session: a read of it gives old values, never a crash. On
 * the CPU it is Java's own (-XX:MaxDirectMemorySize counts it). Beside a device it is pinned, which
 * Java cannot do; what is out of reach is freed when the next session opens or closes.
 */
final class HostMemory {
  /** A line of the cache, and what vector instructions and LibTorch's own allocator align to. */
  private static final int ALIGNMENT = 64;

  private static final ReferenceQueue<ByteBuffer> UNREACHABLE = new ReferenceQueue<>();
  private static final Set<Pinned> PINNED = ConcurrentHashMap.newKeySet();

  private static final class Pinned extends PhantomReference<ByteBuffer> {
    private final Binding.Memory memory;

    Pinned(ByteBuffer buffer, Binding.Memory memory) {
      super(buffer, UNREACHABLE);
      this.memory = memory;
    }
  }

  private HostMemory() {}

  static ByteBuffer allocate(Device device, int bytes) {
    free();
    if (device.isCpu() || bytes == 0) return aligned(bytes);
    Binding.Memory memory = new Binding.Memory(device.name(), bytes);
    ByteBuffer buffer = at(memory.start(), bytes);
    PINNED.add(new Pinned(buffer, memory));
    return buffer;
  }

  private static ByteBuffer aligned(int bytes) {
    int whole = Math.max(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    return ByteBuffer.allocateDirect(whole + ALIGNMENT)
        .alignedSlice(ALIGNMENT)
        .limit(bytes)
        .slice();
  }

  /** Frees pinned memory that no buffer leads to any more. */
  static void free() {
    for (Reference<?> r; (r = UNREACHABLE.poll()) != null; ) {
      PINNED.remove(r);
      ((Pinned) r).memory.close();
    }
  }

  /** Where a direct buffer's first byte lies. */
  static long address(ByteBuffer buffer) {
    return new Pointer(buffer).address();
  }

  /** Memory of others. */
  static ByteBuffer at(long start, long bytes) {
    return new BytePointer() {
      {
        address = start;
        limit = capacity = bytes;
      }
    }.asByteBuffer();
  }
}
