package org.rpx.agent.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Small ELF libraries, byte by byte after the System V ABI: a header, two program headers (PT_LOAD,
 * mapped 4096 bytes up, and PT_DYNAMIC), the dynamic section, its strings. No code in them.
 */
final class Elf {
  static final int X86_64 = 62, AARCH64 = 183;
  private static final int NEEDED = 1, STRTAB = 5, STRSZ = 10, SONAME = 14, RPATH = 15;
  private static final int RUNPATH = 29;
  private static final int UP = 4096;

  private final int machine;
  private final List<Integer> tags = new ArrayList<>();
  private final List<String> words = new ArrayList<>();
  private final List<String> symbols = new ArrayList<>();

  private Elf(int machine) {
    this.machine = machine;
  }

  static Elf of(int machine) {
    return new Elf(machine);
  }

  Elf needs(String name) {
    return with(NEEDED, name);
  }

  Elf soname(String name) {
    return with(SONAME, name);
  }

  Elf rpath(String folders) {
    return with(RPATH, folders);
  }

  Elf runpath(String folders) {
    return with(RUNPATH, folders);
  }

  Elf symbol(String name) {
    symbols.add(name);
    return this;
  }

  private Elf with(int tag, String word) {
    tags.add(tag);
    words.add(word);
    return this;
  }

  byte[] bytes() {
    StringBuilder strings = new StringBuilder("\0");
    List<Integer> at = new ArrayList<>();
    for (String word : words) {
      at.add(strings.length());
      strings.append(word).append('\0');
    }
    symbols.forEach(symbol -> strings.append(symbol).append('\0'));
    int dynamicAt = 64 + 2 * 56;
    int dynamicSize = 16 * (tags.size() + 3);
    int stringsAt = dynamicAt + dynamicSize;
    int end = stringsAt + strings.length();
    ByteBuffer out = ByteBuffer.allocate(end).order(ByteOrder.LITTLE_ENDIAN);
    out.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}).position(16);
    out.putShort((short) 3).putShort((short) machine).putInt(1);
    out.putLong(0).putLong(64).putLong(end).putInt(0); // entry, program headers, section headers
    out.putShort((short) 64).putShort((short) 56).putShort((short) 2);
    out.putShort((short) 64).putShort((short) 0).putShort((short) 0);
    out.putInt(1).putInt(4).putLong(0).putLong(UP).putLong(UP).putLong(end).putLong(end);
    out.putLong(UP);
    out.putInt(2).putInt(4).putLong(dynamicAt).putLong(UP + dynamicAt).putLong(UP + dynamicAt);
    out.putLong(dynamicSize).putLong(dynamicSize).putLong(8);
    for (int i = 0; i < tags.size(); i++) out.putLong(tags.get(i)).putLong(at.get(i));
    out.putLong(STRTAB).putLong(UP + stringsAt).putLong(STRSZ).putLong(strings.length());
    out.putLong(0).putLong(0);
    out.put(strings.toString().getBytes(StandardCharsets.ISO_8859_1));
    return out.array();
  }

  Path write(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.write(file, bytes());
  }
}
