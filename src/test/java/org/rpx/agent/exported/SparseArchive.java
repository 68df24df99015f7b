package org.rpx.agent.exported;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A copy of an archive with gigabytes in each weight: zip64, stored as zeros that no block of the
 * disk holds, under a checksum that is wrong, so that nothing may read them.
 */
public final class SparseArchive {
  private record Entry(byte[] name, int crc, long size, long at) {}

  private final FileChannel out;
  private final List<Entry> entries = new ArrayList<>();

  private SparseArchive(FileChannel out) {
    this.out = out;
  }

  /** Writes one; {@code weightBytes} are those of each member that holds weights. */
  public static Path write(String resource, Path to, long weightBytes) throws IOException {
    try (ZipFile zip = new ZipFile(TestArchive.resource(resource).toFile());
        FileChannel out =
            FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      SparseArchive archive = new SparseArchive(out);
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(e -> (ZipEntry) e)::iterator) {
        boolean weight = entry.getName().matches(".*(weight_\\d+|state_dict\\.pt)");
        try (InputStream in = zip.getInputStream(entry)) {
          archive.add(entry.getName(), in.readAllBytes(), weight ? weightBytes : -1);
        }
      }
      archive.end();
    }
    return to;
  }

  private void add(String name, byte[] content, long zeros) throws IOException {
    CRC32 crc = new CRC32();
    crc.update(content);
    long size = zeros < 0 ? content.length : zeros;
    Entry entry =
        new Entry(
            name.getBytes(StandardCharsets.UTF_8), (int) crc.getValue(), size, out.position());
    ByteBuffer header = little(30 + entry.name.length + 20);
    header.putInt(0x04034b50).putShort((short) 45).putShort((short) 0);
    common(header, entry, 20);
    header.put(entry.name);
    header.putShort((short) 1).putShort((short) 16).putLong(size).putLong(size);
    out.write(header.flip());
    if (zeros < 0) out.write(ByteBuffer.wrap(content));
    else out.position(out.position() + zeros);
    entries.add(entry);
  }

  /** Method, time, checksum, sizes (in the extra field) and lengths. */
  private static void common(ByteBuffer header, Entry entry, int extra) {
    header.putShort((short) 0).putInt(33 << 16).putInt(entry.crc).putInt(-1).putInt(-1);
    header.putShort((short) entry.name.length).putShort((short) extra);
  }

  private void end() throws IOException {
    long start = out.position();
    for (Entry entry : entries) {
      ByteBuffer header = little(46 + entry.name.length + 28);
      header.putInt(0x02014b50).putShort((short) 45).putShort((short) 45).putShort((short) 0);
      common(header, entry, 28);
      header.putShort((short) 0).putShort((short) 0).putShort((short) 0).putInt(0).putInt(-1);
      header.put(entry.name).putShort((short) 1).putShort((short) 24);
      header.putLong(entry.size).putLong(entry.size).putLong(entry.at);
      out.write(header.flip());
    }
    long end = out.position();
    ByteBuffer tail = little(56 + 20 + 22);
    tail.putInt(0x06064b50).putLong(44).putShort((short) 45).putShort((short) 45).putLong(0);
    tail.putLong(entries.size()).putLong(entries.size()).putLong(end - start).putLong(start);
    tail.putInt(0x07064b50).putInt(0).putLong(end).putInt(1);
    tail.putInt(0x06054b50).putInt(0).putInt(-1).putInt(-1).putInt(-1).putShort((short) 0);
    out.write(tail.flip());
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
