package org.rpx.agent.exported;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipException;
import org.rpx.agent.exported.Payload.Region;

/**
 * Where the uncompressed members of a zip archive lie, which java.util.zip does not tell; also of
 * an archive inside another one. Reads directories only, and believes nothing that leaves its
 * region.
 */
final class ZipRegion {
  private static final int MOST_DIRECTORY = 64 << 20;
  private static final int END = 22;
  private static final int LOCAL = 30;
  private static final int CENTRAL = 46;
  private static final int MOST_COMMENT = 0xffff;
  private static final long IN_EXTRA = 0xffffffffL;

  private final FileChannel file;
  private final Region region;

  private ZipRegion(FileChannel file, Region region) {
    this.file = file;
    this.region = region;
  }

  /** By name; compressed members are left out. */
  static Map<String, Region> members(FileChannel file, Region region) throws IOException {
    return new ZipRegion(file, region).members();
  }

  /** The bytes of a region. */
  static ByteBuffer bytes(FileChannel file, Region region) throws IOException {
    return new ZipRegion(file, region).read(0, region.size());
  }

  private Map<String, Region> members() throws IOException {
    Region directory = directory();
    ByteBuffer in = read(directory.offset(), directory.size());
    Map<String, Region> members = new LinkedHashMap<>();
    while (in.remaining() >= CENTRAL && in.getInt(in.position()) == 0x02014b50) {
      int at = in.position();
      int name = in.getShort(at + 28) & 0xffff;
      int extra = in.getShort(at + 30) & 0xffff;
      int next = at + CENTRAL + name + extra + (in.getShort(at + 32) & 0xffff);
      if (next > in.limit()) throw broken();
      byte[] text = new byte[name];
      in.get(at + CENTRAL, text);
      if (in.getShort(at + 10) == 0) {
        Region local = local(in, at, in.slice(at + CENTRAL + name, extra));
        members.put(new String(text, StandardCharsets.UTF_8), local);
      }
      in.position(next);
    }
    return members;
  }

  /** Where an entry's bytes are: behind a header whose own lengths count, not the directory's. */
  private Region local(ByteBuffer in, int at, ByteBuffer extra) throws IOException {
    long packed = in.getInt(at + 20) & IN_EXTRA;
    long size = in.getInt(at + 24) & IN_EXTRA;
    long header = in.getInt(at + 42) & IN_EXTRA;
    extra.order(ByteOrder.LITTLE_ENDIAN);
    while (extra.remaining() >= 4) {
      int tag = extra.getShort();
      int end = (extra.getShort() & 0xffff) + extra.position();
      if (end > extra.limit()) throw broken();
      if (tag == 1) {
        // Sizes of 64 bits, in this order, of those that have no room in the entry.
        if (size == IN_EXTRA && end - extra.position() >= 8) size = extra.getLong();
        if (packed == IN_EXTRA && end - extra.position() >= 8) packed = extra.getLong();
        if (header == IN_EXTRA && end - extra.position() >= 8) header = extra.getLong();
      }
      extra.position(end);
    }
    if (packed != size) throw broken();
    ByteBuffer lengths = read(header, LOCAL);
    if (lengths.getInt(0) != 0x04034b50) throw broken();
    long start = header + LOCAL + (lengths.getShort(26) & 0xffff) + (lengths.getShort(28) & 0xffff);
    return within(start, size);
  }

  private Region directory() throws IOException {
    long start = Math.max(0, region.size() - END - MOST_COMMENT);
    ByteBuffer tail = read(start, region.size() - start);
    int end = tail.limit() - END;
    while (end >= 0 && tail.getInt(end) != 0x06054b50) end--;
    if (end < 0) throw broken();
    long size = tail.getInt(end + 12) & IN_EXTRA;
    long offset = tail.getInt(end + 16) & IN_EXTRA;
    int locator = end - 20;
    if (locator >= 0 && tail.getInt(locator) == 0x07064b50) {
      ByteBuffer large = read(tail.getLong(locator + 8), 56);
      if (large.getInt(0) != 0x06064b50) throw broken();
      size = large.getLong(40);
      offset = large.getLong(48);
    }
    within(offset, size);
    return new Region(offset, size);
  }

  private Region within(long offset, long size) throws ZipException {
    if (offset < 0 || size < 0 || offset > region.size() || size > region.size() - offset)
      throw broken();
    return new Region(region.offset() + offset, size);
  }

  private ByteBuffer read(long offset, long size) throws IOException {
    Region part = within(offset, size);
    if (size > MOST_DIRECTORY) throw new ZipException("a directory of " + size + " bytes");
    ByteBuffer bytes = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (file.read(bytes, part.offset() + bytes.position()) < 0) throw broken();
    }
    return bytes.flip();
  }

  private static ZipException broken() {
    return new ZipException("an archive inside it has a broken directory");
  }
}
