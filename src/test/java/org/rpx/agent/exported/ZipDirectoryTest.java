package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files past 4 GiB, of which a directory may claim to be a part. */
class ZipDirectoryTest {
  private static final long FIVE_GB = 5_000_000_000L;

  @TempDir Path folder;

  /** Two thirds of the weights of 5 GB each lie past what 32 bits can say. */
  @Test
  void weightsOfAnySizeAreLeftAlone() throws IOException {
    String resource = "export_dynamic_batch";
    Path file = SparseArchive.write(resource, folder.resolve("large.pt2"), FIVE_GB);
    assertThat(ExportedProgram.isArchive(file)).isTrue();
    ExportedProgram large = ExportedProgram.read(file);
    ExportedProgram small = ExportedProgram.read(TestArchive.resource(resource));
    assertThat(large.trace(null)).isEqualTo(small.trace(null));
    assertThat(large.weights()).isEqualTo(small.weights());
  }

  @Test
  void aDirectoryOfTwoGigabytesIsNotRead() throws IOException {
    Path file = folder.resolve("directory.pt2");
    write(file, 2_100_000_000L, end(2_000_000_000, 1000));
    refused(file);
  }

  @Test
  void norIsOneThatZip64Tells() throws IOException {
    Path file = folder.resolve("directory.pt2");
    ByteBuffer tail = ByteBuffer.allocate(56 + 20 + 22).order(ByteOrder.LITTLE_ENDIAN);
    tail.putInt(0x06064b50).putLong(44).putInt(0).putLong(0).putLong(1).putLong(1);
    tail.putLong(2_000_000_000).putLong(1000);
    tail.putInt(0x07064b50).putInt(0).putLong(2_100_000_000).putInt(1);
    tail.put(end(-1, -1));
    write(file, 2_100_000_000L, tail.array());
    refused(file);
  }

  private static byte[] end(int size, int at) {
    ByteBuffer end = ByteBuffer.allocate(22).order(ByteOrder.LITTLE_ENDIAN);
    end.putInt(0x06054b50).putInt(0).putInt(-1).putInt(size).putInt(at);
    return end.array();
  }

  private static void write(Path file, long at, byte[] tail) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.write(new byte[] {'P', 'K', 3, 4});
      out.seek(at);
      out.write(tail);
    }
  }

  private static void refused(Path file) {
    assertThatExceptionOfType(ZipException.class)
        .isThrownBy(() -> ZipDirectory.check(file.toFile()))
        .withMessage("its directory has more than 33554432 bytes");
    assertThatExceptionOfType(ProgramException.class)
        .isThrownBy(() -> ExportedProgram.read(file))
        .withMessageContaining("it is damaged (its directory has more than");
  }
}
