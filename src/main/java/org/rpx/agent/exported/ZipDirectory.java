package org.rpx.agent.exported;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.ZipException;

/** How large a zip archive says that its directory is: opening one reads it into memory. */
final class ZipDirectory {
  /** That of a program of 100,000 weights has half of this. */
  private static final long LARGEST = 32L << 20;

  private static final int END = 0x06054b50;
  private static final int END_BYTES = 22;
  private static final int LONGEST_COMMENT = 0xffff;

  /** In place of a size: it stands in another record, to which a locator leads. */
  private static final long IN_END64 = 0xffffffffL;

  private static final int LOCATOR = 0x07064b50;
  private static final int LOCATOR_BYTES = 20;
  private static final int END64_BYTES = 56;

  private ZipDirectory() {}

  /**
   * Checks it.
   *
   * @throws ZipException where it is larger than any real one
   */
  static void check(File file) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file, "r")) {
      long tail = Math.min(in.length(), END_BYTES + LONGEST_COMMENT + LOCATOR_BYTES);
      ByteBuffer bytes = read(in, in.length() - tail, (int) tail);
      // Each that might be the end record: a comment can hold another.
      for (int at = bytes.limit() - END_BYTES; at >= 0; at--) {
        if (bytes.getInt(at) == END) check(in, bytes, at);
      }
    }
  }

  private static void check(RandomAccessFile in, ByteBuffer bytes, int at) throws IOException {
    long size = Integer.toUnsignedLong(bytes.getInt(at + 12));
    if (size != IN_END64) limit(size, in.length());
    int locator = at - LOCATOR_BYTES;
    if (locator < 0 || bytes.getInt(locator) != LOCATOR) return;
    long end64 = bytes.getLong(locator + 8);
    if (end64 < 0 || end64 > in.length() - END64_BYTES) return;
    limit(read(in, end64, END64_BYTES).getLong(40), in.length());
  }

  /** What is larger than the file is no directory, and found out when it is opened. */
  private static void limit(long bytes, long file) throws ZipException {
    if (bytes > LARGEST && bytes < file)
      throw new ZipException("its directory has more than " + LARGEST + " bytes");
  }

  private static ByteBuffer read(RandomAccessFile in, long at, int bytes) throws IOException {
    byte[] into = new byte[bytes];
    in.seek(at);
    in.readFully(into);
    return ByteBuffer.wrap(into).order(ByteOrder.LITTLE_ENDIAN);
  }
}
