package org.rpx.agent.elf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Headers byte by byte, after the System V ABI. */
class ElfHeaderTest {
  private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F'};

  /** Of 64 bits: e_machine at 18, e_shoff at 40, e_shentsize at 58, e_shnum at 60. */
  private static ByteBuffer header(boolean little, int machine, long sections, int size, int n) {
    ByteBuffer b = ByteBuffer.allocate(64).put(MAGIC).put((byte) 2).put((byte) (little ? 1 : 2));
    b.order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    b.putShort(18, (short) machine).putLong(40, sections);
    return b.putShort(58, (short) size).putShort(60, (short) n);
  }

  private static ElfHeader read(ByteBuffer bytes) throws IOException {
    return ElfHeader.read(new ByteArrayInputStream(bytes.array()));
  }

  @ParameterizedTest
  @CsvSource({"true, 62", "true, 183", "false, 22", "true, 65535"})
  void tellsTheMachineAndWhereTheSectionTableEnds(boolean little, int machine) throws Exception {
    assertThat(read(header(little, machine, 1000, 64, 3)))
        .isEqualTo(new ElfHeader(machine, 1000 + 64 * 3));
  }

  @Test
  void readsNoFurther() throws Exception {
    ByteArrayInputStream in = new ByteArrayInputStream(new byte[70]);

    ElfHeader.read(in);

    assertThat(in.available()).isEqualTo(6);
  }

  /** No file is that large: it is cut off. */
  @Test
  void aTableBeyondAllFilesIsAtTheEndOfThem() throws Exception {
    assertThat(read(header(true, 62, Long.MAX_VALUE, 64, 1)).end()).isEqualTo(Long.MAX_VALUE);
    assertThat(read(header(true, 62, -1, 64, 1)).end()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void isNullOfAnythingElse() throws Exception {
    assertThat(read(ByteBuffer.allocate(64))).isNull();
    assertThat(read(ByteBuffer.allocate(63).put(MAGIC).put((byte) 2))).isNull();
    // 32 bits.
    assertThat(read(header(true, 3, 1000, 40, 3).put(4, (byte) 1))).isNull();
  }
}
