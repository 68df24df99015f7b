package org.rpx.agent.elf;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The head of a 64-bit ELF library: for which machine it is, and whether it is whole. To ask before
 * it is loaded.
 *
 * @param machine {@code e_machine}: 62 is x86-64, 183 is AArch64
 * @param end bytes up to the end of its section table, which stands last. The linker maps a file
 *     that is cut off before, and the process dies of it
 */
public record ElfHeader(int machine, long end) {
  private static final int SIZE = 64;

  /**
   * Reads 64 bytes; {@code in} stays open.
   *
   * @return null where they are no such header: other systems have other kinds of libraries
   * @throws IOException that {@code in} throws
   */
  public static ElfHeader read(InputStream in) throws IOException {
    ByteBuffer head = ByteBuffer.wrap(in.readNBytes(SIZE));
    // The magic, then the class: 2 is 64 bits.
    if (head.remaining() < SIZE || head.getInt(0) != 0x7f454c46 || head.get(4) != 2) return null;
    head.order(head.get(5) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    long sections = head.getLong(0x28);
    long table = (long) (head.getShort(0x3a) & 0xffff) * (head.getShort(0x3c) & 0xffff);
    boolean odd = sections < 0 || sections > Long.MAX_VALUE - table;
    return new ElfHeader(head.getShort(18) & 0xffff, odd ? Long.MAX_VALUE : sections + table);
  }
}
