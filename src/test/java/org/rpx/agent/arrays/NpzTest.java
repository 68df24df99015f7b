package org.rpx.agent.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.rpx.agent.arrays.NpyFiles.dict;
import static org.rpx.agent.arrays.NpyFiles.npy;
import static org.rpx.agent.arrays.NpzFiles.zip;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.Values;

class NpzTest {
  private static final byte[] BYTES = npy(1, dict("|i1", false, "(2,)"), 7, 8);

  @TempDir Path folder;

  @Test
  void readsWhatNumpyWrote() {
    for (byte[] file : List.of(NpzFiles.stored(), NpzFiles.deflated())) {
      Map<String, InputSpec.Tensor> arrays = Npz.read(write(file));

      assertThat(arrays.keySet()).containsExactly("x", "batch.rgb");
      InputSpec.Tensor x = arrays.get("x");
      assertThat(x.dtype()).isEqualTo("float32");
      assertThat(x.shape()).containsExactly(1L, 2L);
      Values.File values = (Values.File) x.values();
      assertThat(values.name()).endsWith("x.npz[x]");
      assertThat(values.bytes().asFloatBuffer().get(0)).isEqualTo(1.5f);
      assertThat(values.bytes().asFloatBuffer().get(1)).isEqualTo(-2f);
      assertThat(arrays.get("batch.rgb").dtype()).isEqualTo("uint8");
    }
  }

  @Test
  void knowsAnArchiveByItsContent() {
    assertThat(Npz.isArchive(write(NpzFiles.stored()))).isTrue();
    assertThat(Npz.isArchive(write(BYTES))).isFalse();
    assertThat(Npz.isArchive(write(new byte[] {'P'}))).isFalse();
    assertThat(Npz.isArchive(folder)).isFalse();
    assertThat(Npz.isArchive(folder.resolve("none.npz"))).isFalse();
  }

  @Test
  void membersThatAreNoArrays() {
    wrong(zip(), "no arrays");
    wrong(zip("notes.txt", new byte[1]), "notes.txt", "no .npy");
    wrong(zip("x.npy", new byte[0]), "[x]: is empty");
    wrong(zip("x.npy", npy(1, dict("|O", false, "()"), 1)), "[x]: it holds Python objects");
    wrong(zip("x.npy", Arrays.copyOf(BYTES, BYTES.length - 1)), "[x]: has 1 bytes", "wants 2");
    wrong(zip("x.npy", Arrays.copyOf(BYTES, BYTES.length + 1)), "[x]: has 3 bytes", "wants 2");
    wrong(zip("a\n\u001b[31m.npy", new byte[0]), "a??[31m");
  }

  @Test
  void aNameThatStandsTwice() {
    byte[] file = zip("x.npy", BYTES, "y.npy", BYTES);
    for (int i = 0; i < file.length; i++) if (file[i] == 'y' && file[i + 1] == '.') file[i] = 'x';
    wrong(file, "x twice");
  }

  /** 64 MiB of zeros in 64 KiB, which the array's own header does not ask for. */
  @Test
  void aBombIsNotUnpacked() {
    byte[] zeros = Arrays.copyOf(BYTES, 64 << 20);
    wrong(zip("x.npy", zeros), "its header wants 2");
  }

  /** The directory is the last in the file: 4 bytes of size stand 24 behind a record's start. */
  @Test
  void sizesThatLie() {
    byte[] file = zip("x.npy", BYTES);
    int record = new String(file, StandardCharsets.ISO_8859_1).lastIndexOf("PK\1\2");
    byte[] larger = file.clone();
    larger[record + 24 + 3] = 0x40;
    wrong(larger, "as large as the archive says");
    byte[] checksum = file.clone();
    checksum[record + 16]++;
    wrong(checksum, "another checksum");
  }

  @Test
  void filesThatAreCutOff() {
    byte[] file = NpzFiles.stored();
    for (int length = 2; length < file.length; length += 7)
      wrong(Arrays.copyOf(file, length), "damaged");
  }

  @Test
  void mutations() {
    Random random = new Random(20250301);
    List<byte[]> seeds = List.of(NpzFiles.stored(), NpzFiles.deflated(), zip("x.npy", BYTES));
    int refused = 0;
    for (int i = 0; i < 1000; i++) {
      byte[] file = seeds.get(i % seeds.size()).clone();
      for (int n = 1 + random.nextInt(4); n > 0; n--) {
        int at = random.nextInt(file.length);
        switch (random.nextInt(4)) {
          case 0 -> file[at] = (byte) random.nextInt(256);
          case 1 -> file[at] ^= (byte) (1 << random.nextInt(8));
          case 2 -> file[at] = (byte) 0xff;
          default -> file = Arrays.copyOf(file, Math.max(file.length - at % 30, 1));
        }
      }
      Path written = write(file);
      Throwable thrown = catchThrowable(() -> Npz.read(written));
      if (thrown == null) continue;
      refused++;
      assertThat(thrown).as("mutation %d", i).isExactlyInstanceOf(IllegalArgumentException.class);
      oneLine(thrown.getMessage(), written);
    }
    assertThat(refused).isGreaterThan(500);
  }

  private void wrong(byte[] file, String... says) {
    Path written = write(file);
    Throwable thrown = catchThrowable(() -> Npz.read(written));
    assertThat(thrown).isExactlyInstanceOf(IllegalArgumentException.class);
    assertThat(thrown.getMessage()).contains(says);
    oneLine(thrown.getMessage(), written);
  }

  private static void oneLine(String message, Path file) {
    assertThat(message).startsWith(file.toString()).hasSizeLessThan(500 + file.toString().length());
    assertThat(message.chars()).noneMatch(Character::isISOControl);
  }

  private Path write(byte[] file) {
    return NpyFiles.write(folder.resolve("x.npz"), file);
  }
}
