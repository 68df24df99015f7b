package org.rpx.agent.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the dynamic section of a 64-bit little-endian ELF library says (System V ABI, chapter 5).
 *
 * @param machine {@code e_machine}, as {@link org.rpx.agent.elf.ElfHeader#machine}
 * @param soname its own name; null where it has none
 * @param needed names of the libraries that it needs, in order
 * @param rpath folders of DT_RPATH as written, which those that it needs search too; empty where
 *     there is a RUNPATH, as the linker has it
 * @param runpath folders of DT_RUNPATH as written
 * @param names its dynamic string table: the names above and of all symbols, each ended by a NUL
 */
record ElfLibrary(
    Path path,
    int machine,
    String soname,
    List<String> needed,
    List<String> rpath,
    List<String> runpath,
    String names) {
  private static final int PT_LOAD = 1, PT_DYNAMIC = 2;
  private static final int NEEDED = 1, STRTAB = 5, STRSZ = 10, SONAME = 14, RPATH = 15;
  private static final int RUNPATH = 29;

  /** Offsets above this are of a damaged file: no string table is that large. */
  private static final int MOST = 1 << 28;

  /**
   * Reads the few parts of the file that are wanted.
   *
   * @return null where the file is no such library
   * @throws IOException where it cannot be read, or ends before what it points to
   */
  static ElfLibrary read(Path path) throws IOException {
    try (FileChannel file = FileChannel.open(path)) {
      ByteBuffer head = file.size() < 64 ? null : bytes(file, 0, 64);
      if (head == null || head.getInt(0) != 0x464c457f || head.get(4) != 2 || head.get(5) != 1)
        return null;
      ByteBuffer segments =
          bytes(file, head.getLong(0x20), (head.getShort(0x38) & 0xffff) * segmentSize(head));
      ByteBuffer dynamic = null;
      for (int at = 0; at < segments.limit(); at += segmentSize(head))
        if (segments.getInt(at) == PT_DYNAMIC)
          dynamic = bytes(file, segments.getLong(at + 8), segments.getLong(at + 32));
      if (dynamic == null) return null;
      long table = 0, size = 0;
      for (int at = 0; at + 16 <= dynamic.limit(); at += 16) {
        if (dynamic.getLong(at) == STRTAB) table = dynamic.getLong(at + 8);
        if (dynamic.getLong(at) == STRSZ) size = dynamic.getLong(at + 8);
      }
      long offset = offset(segments, segmentSize(head), table);
      String names =
          new String(bytes(file, offset, size).array(), StandardCharsets.ISO_8859_1) + '\0';
      return of(path, head.getShort(18) & 0xffff, dynamic, names);
    }
  }

  private static ElfLibrary of(Path path, int machine, ByteBuffer dynamic, String names)
      throws IOException {
    String soname = null;
    List<String> needed = new ArrayList<>();
    List<String> rpath = List.of();
    List<String> runpath = List.of();
    for (int at = 0; at + 16 <= dynamic.limit() && dynamic.getLong(at) != 0; at += 16) {
      long value = dynamic.getLong(at + 8);
      switch ((int) dynamic.getLong(at)) {
        case NEEDED -> needed.add(name(names, value));
        case SONAME -> soname = name(names, value);
        case RPATH -> rpath = List.of(name(names, value).split(":"));
        case RUNPATH -> runpath = List.of(name(names, value).split(":"));
        default -> {
          // Of symbols and relocations.
        }
      }
    }
    return new ElfLibrary(
        path, machine, soname, needed, runpath.isEmpty() ? rpath : List.of(), runpath, names);
  }

  /** Whether it defines or uses a symbol that begins so. */
  boolean hasSymbol(String prefix) {
    return names.contains('\0' + prefix);
  }

  private static int segmentSize(ByteBuffer head) throws IOException {
    int size = head.getShort(0x36) & 0xffff;
    if (size < 56) throw new IOException("its program headers are damaged");
    return size;
  }

  /** Where in the file an address is, by the segment that it lies in. */
  private static long offset(ByteBuffer segments, int size, long address) throws IOException {
    for (int at = 0; at < segments.limit(); at += size) {
      long begin = segments.getLong(at + 16);
      if (segments.getInt(at) == PT_LOAD
          && address >= begin
          && address - begin < segments.getLong(at + 32))
        return segments.getLong(at + 8) + (address - begin);
    }
    throw new IOException("its string table is in no segment");
  }

  private static ByteBuffer bytes(FileChannel file, long at, long size) throws IOException {
    if (at < 0 || size < 0 || size > MOST || at > file.size() - size)
      throw new IOException("it is cut off");
    ByteBuffer bytes = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining())
      if (file.read(bytes, at + bytes.position()) < 0) throw new IOException("it is cut off");
    return bytes.flip();
  }

  private static String name(String names, long at) throws IOException {
    if (at < 0 || at >= names.length()) throw new IOException("its names are damaged");
    return names.substring((int) at, names.indexOf('\0', (int) at));
  }
}
