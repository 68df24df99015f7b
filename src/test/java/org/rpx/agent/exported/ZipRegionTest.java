package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.exported.Payload.Region;

/** Archives written field by field, from PKWARE's description of the format. */
class ZipRegionTest {
  private static final int BEFORE = 7;

  @TempDir Path folder;

  @Test
  void findsAMemberInsideAFile() throws IOException {
    assertThat(members(archive(8, 5, 0, false))).isEqualTo(Map.of("w", new Region(BEFORE + 33, 5)));
  }

  @Test
  void sizesOf64Bits() throws IOException {
    assertThat(members(archive(8, 5, 0, true))).isEqualTo(Map.of("w", new Region(BEFORE + 33, 5)));
  }

  @Test
  void nothingOutsideItsRegionIsBelieved() {
    for (boolean large : new boolean[] {false, true}) {
      broken(archive(8, 1 << 20, 0, large));
      broken(archive(8, -6, 0, large));
      broken(archive(8, 5, 3, large));
      broken(archive(8, 5, 1 << 20, large));
      broken(archive(8, 5, -2, large));
    }
    broken(archive(30_000, 5, 0, false));
    broken(new byte[0]);
    broken(new byte[100]);
  }

  private void broken(byte[] bytes) {
    assertThatThrownBy(() -> members(bytes)).isInstanceOf(ZipException.class);
  }

  private Map<String, Region> members(byte[] bytes) throws IOException {
    Path file = folder.resolve("a.zip");
    Files.write(file, new byte[BEFORE]);
    Files.write(file, bytes, StandardOpenOption.APPEND);
    try (FileChannel channel = FileChannel.open(file)) {
      return ZipRegion.members(channel, new Region(BEFORE, bytes.length));
    }
  }

  /** One stored member "w" of 5 bytes; behind its name an extra field of this length is said. */
  private static byte[] archive(int extra, long size, long header, boolean large) {
    ByteBuffer out = ByteBuffer.allocate(300).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(0x04034b50).put(new byte[22]).putShort((short) 1).putShort((short) 2);
    out.put(text("w")).put(new byte[2]).put(text("bytes"));
    int directory = out.position();
    out.putInt(0x02014b50).put(new byte[16]);
    out.putInt(large ? -1 : (int) size).putInt(large ? -1 : (int) size);
    out.putShort((short) 1).putShort((short) (large ? 28 : extra)).put(new byte[10]);
    out.putInt(large ? -1 : (int) header).put(text("w"));
    if (large)
      out.putShort((short) 1).putShort((short) 24).putLong(size).putLong(size).putLong(header);
    else out.put(new byte[8]);
    int end = out.position();
    out.putInt(0x06054b50).put(new byte[4]).putShort((short) 1).putShort((short) 1);
    out.putInt(end - directory).putInt(directory).putShort((short) 0);
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
