package org.rpx.agent;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.List;

/**
 * The simulated accelerator in this process: what tests set and read of it, in memory that it
 * shares (native/test/sim/sim.h has the order).
 */
final class Simulator {
  static final Path LIBRARY =
      Path.of(System.getProperty("rpx.native"), "test", "librpxsim." + ending()).toAbsolutePath();
  static final NativeCode CODE = new NativeCode(true, List.of(LIBRARY));
  static final long DEFAULT_LIMIT = 1L << 30;

  private static final int FIELDS = 14;
  private static final LongBuffer SHARED = shared();

  private Simulator() {}

  /** What a test sets, in the order of the shared memory. */
  enum Setting {
    LIMIT,
    KERNEL_NS,
    PINNED_NS,
    PAGEABLE_NS,
    FAIL_AFTER
  }

  /** What it reads. */
  enum Count {
    KERNELS,
    TO_DEVICE,
    TO_HOST,
    SYNCHRONISED,
    ALLOCATED,
    ALLOCATED_PEAK,
    RESERVED,
    BLOCKS
  }

  static void set(Setting setting, long value) {
    SHARED.put(setting.ordinal(), value);
  }

  static long read(Count count) {
    return SHARED.get(Setting.values().length + count.ordinal());
  }

  /** How a kernel fails: a launch, an assert of Jetson's allocator, or out of memory. */
  enum Failure {
    LAUNCH,
    ASSERT,
    OUT_OF_MEMORY
  }

  /** Lets a kernel fail, the {@code after}th from now. */
  static void fail(Failure how, long after) {
    SHARED.put(FIELDS - 1, how.ordinal());
    set(Setting.FAIL_AFTER, after);
  }

  /** As it is when it is loaded. */
  static void reset() {
    for (Setting setting : Setting.values()) set(setting, 0);
  }

  private static LongBuffer shared() {
    Path file = Path.of("/tmp/librpxsim-" + ProcessHandle.current().pid());
    try (RandomAccessFile memory = new RandomAccessFile(file.toFile(), "rw")) {
      file.toFile().deleteOnExit();
      memory.setLength(Long.BYTES * FIELDS);
      MappedByteBuffer bytes = memory.getChannel().map(MapMode.READ_WRITE, 0, memory.length());
      return bytes.order(ByteOrder.nativeOrder()).asLongBuffer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String ending() {
    return System.getProperty("os.name").startsWith("Mac") ? "dylib" : "so";
  }
}
