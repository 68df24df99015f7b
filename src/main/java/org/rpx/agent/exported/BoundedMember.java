package org.rpx.agent.exported;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * One member of a zip archive, as it unpacks: no more of it than a real graph has, and with its
 * checksum compared at the end. Sizes in the archive's directory are not believed.
 */
final class BoundedMember extends FilterInputStream {
  /** The graph of a program of 100,000 nodes, with its stack traces, is a third of that. */
  private static final long LARGEST = 512L << 20;

  /** Real graphs shrink up to 50 times. Below this size a bomb does no harm. */
  private static final int MOST_SHRUNK = 300;

  private static final long HARMLESS = 16L << 20;

  private final ZipEntry entry;
  private final CRC32 crc = new CRC32();
  private long count;
  private boolean ended;

  private BoundedMember(InputStream in, ZipEntry entry) {
    super(in);
    this.entry = entry;
  }

  static BoundedMember open(ZipFile zip, String member) throws IOException {
    ZipEntry entry = zip.getEntry(member);
    InputStream in = entry == null ? null : zip.getInputStream(entry);
    if (in == null) throw new ZipException("no member " + member);
    return new BoundedMember(in, entry);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int n = super.read(into, offset, length);
    if (n < 0) end();
    else {
      crc.update(into, offset, n);
      count += n;
      limit();
    }
    return n;
  }

  private void limit() {
    long packed = Math.max(1, entry.getCompressedSize());
    if (count > LARGEST)
      throw new GraphException(
          entry.getName() + " unpacks to more than " + LARGEST + " bytes; it is no real graph");
    if (count > HARMLESS && count / packed > MOST_SHRUNK)
      throw new GraphException(
          entry.getName()
              + " unpacks to more than "
              + MOST_SHRUNK
              + " times its size; it is no real graph");
  }

  private void end() throws ZipException {
    if (ended) return;
    ended = true;
    if (entry.getCrc() >= 0 && entry.getCrc() != crc.getValue())
      throw new ZipException("wrong checksum of " + entry.getName());
  }
}
