package org.rpx.agent.exported;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Writes members of an archive into a folder: plain files only, never over another, with their
 * checksums compared and no more of them than the disk has room for.
 */
final class Unpacker {
  /** Code shrinks 5 times, trained weights hardly; below the harmless size a bomb may pass. */
  private static final int MOST_SHRUNK = 100;

  private static final long HARMLESS = 64L << 20;

  private final ZipFile zip;
  private final Path folder;
  private long room;

  Unpacker(ZipFile zip, Path folder) throws IOException {
    this.zip = zip;
    this.folder = folder;
    this.room = Files.getFileStore(folder).getUsableSpace();
  }

  void unpack(String member, String file) throws IOException {
    ZipEntry entry = zip.getEntry(member);
    InputStream in = entry == null ? null : zip.getInputStream(entry);
    if (in == null) throw new ZipException("no member " + member);
    Path target = folder.resolve(file).normalize();
    if (!target.startsWith(folder)) throw new ZipException(member + " would leave its folder");
    Files.createDirectories(target.getParent());
    CRC32 crc = new CRC32();
    long size = 0;
    byte[] buffer = new byte[1 << 16];
    try (in;
        OutputStream out = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW)) {
      for (int n; (n = in.read(buffer)) >= 0; ) {
        size += n;
        room -= n;
        limit(entry, size);
        crc.update(buffer, 0, n);
        out.write(buffer, 0, n);
      }
    }
    if (entry.getCrc() >= 0 && entry.getCrc() != crc.getValue())
      throw new ZipException("wrong checksum of " + member);
  }

  private void limit(ZipEntry entry, long size) {
    if (room < 0)
      throw new GraphException(
          "it does not fit on the disk of "
              + folder.getParent()
              + " when unpacked: name a folder with more room by RPX_JAVA_OPTS=-Djava.io.tmpdir=DIR");
    if (size > HARMLESS && size / Math.max(1, entry.getCompressedSize()) > MOST_SHRUNK)
      throw new GraphException(
          entry.getName()
              + " unpacks to more than "
              + MOST_SHRUNK
              + " times its size; do not use this file");
  }
}
