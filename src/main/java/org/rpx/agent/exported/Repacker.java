package org.rpx.agent.exported;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies members of an archive into a new one, uncompressed, with their checksums compared and no
 * more of them than the disk has room for.
 */
final class Repacker implements Closeable {
  /** Code shrinks 5 times, trained weights hardly; below the harmless size a bomb may pass. */
  private static final int MOST_SHRUNK = 100;

  private static final long HARMLESS = 64L << 20;

  private final ZipFile from;
  private final Path file;
  private final ZipOutputStream to;
  private final Set<String> written = new HashSet<>();
  private long room;

  Repacker(ZipFile from, Path file) throws IOException {
    this.from = from;
    this.file = file;
    this.room = Files.getFileStore(file.getParent()).getUsableSpace();
    this.to = new ZipOutputStream(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW));
  }

  /** An empty file, where there is none of that name. */
  void empty(String name) throws IOException {
    if (written.add(name)) to.putNextEntry(stored(name, 0, 0));
  }

  void copy(String member, String name) throws IOException {
    ZipEntry entry = from.getEntry(member);
    InputStream in = entry == null ? null : from.getInputStream(entry);
    if (in == null) throw new ZipException("no member " + member);
    if (!written.add(name)) throw new ZipException("two members " + name);
    CRC32 crc = new CRC32();
    long size = 0;
    byte[] buffer = new byte[1 << 16];
    try (in) {
      to.putNextEntry(stored(name, entry.getSize(), entry.getCrc()));
      for (int n; (n = in.read(buffer)) >= 0; ) {
        size += n;
        room -= n;
        limit(entry, size);
        crc.update(buffer, 0, n);
        to.write(buffer, 0, n);
      }
    }
    if (entry.getCrc() != crc.getValue()) throw new ZipException("wrong checksum of " + member);
    to.closeEntry();
  }

  private static ZipEntry stored(String name, long size, long crc) {
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(size);
    entry.setCrc(crc);
    return entry;
  }

  private void limit(ZipEntry entry, long size) {
    if (room < 0)
      throw new GraphException(
          "it does not fit on the disk of "
              + file.getParent().getParent()
              + " when unpacked: name a folder with more room by RPX_JAVA_OPTS=-Djava.io.tmpdir=DIR");
    if (size > HARMLESS && size / Math.max(1, entry.getCompressedSize()) > MOST_SHRUNK)
      throw new GraphException(
          entry.getName()
              + " unpacks to more than "
              + MOST_SHRUNK
              + " times its size; do not use this file");
  }

  @Override
  public void close() throws IOException {
    to.close();
  }
}
