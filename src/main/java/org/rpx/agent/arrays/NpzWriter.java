package org.rpx.agent.arrays;

import java.io.IOException;
import java.io.OutputStream;
import java.time.LocalDateTime;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes arrays as numpy.savez does: a zip of .npy members that are stored, not deflated. It reads
 * the arrays twice, so that nobody may write to them meanwhile; it has no state of its own.
 */
public final class NpzWriter {
  /** The same arrays make the same file: no member has the time of its writing. */
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

  private NpzWriter() {}

  /**
   * The arrays in order, then the end of the archive; {@code out} stays open.
   *
   * @throws IOException where {@code out} throws one, or two arrays have one name
   */
  public static void write(List<NamedArray> arrays, OutputStream out) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    for (NamedArray array : arrays) {
      zip.putNextEntry(member(array));
      NpyWriter.write(array, zip);
      zip.closeEntry();
    }
    zip.finish();
  }

  /** Size and checksum of a stored member stand before it: all of it is gone through for them. */
  private static ZipEntry member(NamedArray array) throws IOException {
    CheckedOutputStream checked =
        new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32());
    Counted counted = new Counted(checked);
    NpyWriter.write(array, counted);
    ZipEntry member = new ZipEntry(array.name() + ".npy");
    member.setMethod(ZipEntry.STORED);
    member.setSize(counted.bytes);
    member.setCrc(checked.getChecksum().getValue());
    member.setTimeLocal(TIME);
    return member;
  }

  private static final class Counted extends OutputStream {
    private final OutputStream out;
    private long bytes;

    Counted(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      out.write(from, offset, length);
      bytes += length;
    }
  }
}
