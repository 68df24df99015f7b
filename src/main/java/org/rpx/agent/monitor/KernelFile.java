package org.rpx.agent.monitor;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A small file of /proc or /sys that is read over and over: opened once, so that a look costs
 * microseconds and little garbage in the loop's JVM. One thread at a time.
 */
final class KernelFile implements AutoCloseable {
  /** What the kernel gives of a file of sysfs at most; a thread's are shorter. */
  private static final int MOST = 4096;

  private final RandomAccessFile file;
  private final byte[] buffer = new byte[MOST];

  private KernelFile(RandomAccessFile file) {
    this.file = file;
  }

  /** Null where it cannot be opened. */
  static KernelFile open(Path path) {
    try {
      return new KernelFile(new RandomAccessFile(path.toFile(), "r"));
    } catch (IOException e) {
      return null;
    }
  }

  /** What stands in it now, up to 4096 bytes; null where that cannot be read. */
  String text() {
    try {
      file.seek(0);
      int length = file.read(buffer);
      return new String(buffer, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      // It was only read.
    }
  }
}
