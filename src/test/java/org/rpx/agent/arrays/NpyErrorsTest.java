package org.rpx.agent.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.rpx.agent.arrays.NpyFiles.dict;
import static org.rpx.agent.arrays.NpyFiles.npy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file that is no array costs one line that names it, whatever it holds. */
class NpyErrorsTest {
  private static final String GOOD = dict("|i1", false, "(2,)");

  @TempDir Path folder;

  @Test
  void filesOfAnotherKind() {
    wrong(new byte[0], "is empty");
    wrong("PK\3\4 and so on, as a zip".getBytes(StandardCharsets.UTF_8), ".npz", "unpack it");
    wrong("1.0, 2.0, 3.0, 4.0".getBytes(StandardCharsets.UTF_8), "no .npy file", "numpy.save");
    wrong(new byte[] {(byte) 0x93, 'N', 'U', 'M'}, "no .npy file");
    assertThat(message(folder)).contains("folder");
    assertThat(message(folder.resolve("none.npy"))).contains("no such file");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "4, 0", "1, 1", "255, 255"})
  void versions(int major, int minor) {
    byte[] file = npy(1, GOOD, 1, 2);
    file[6] = (byte) major;
    file[7] = (byte) minor;
    wrong(file, "version " + major + "." + minor, "1.0, 2.0 and 3.0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "|O; pickle",
        "<c8; astype",
        "<f16; astype",
        "<u2; astype",
        "<V2; --precision bf16",
        "<U3; astype",
        "|f4; astype",
        "=f4; astype",
        "f4; astype",
        "''; astype"
      })
  void dtypes(String descr, String says) {
    wrong(npy(1, dict(descr, false, "(2,)"), 1, 2), says);
  }

  @Test
  void aStructuredArray() {
    String dict = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }";
    wrong(npy(1, dict, 1, 2), "structured");
  }

  @ParameterizedTest
  @CsvSource({
    "'(3,)', 2, 3",
    "'(1,)', 2, 1",
    "'(9223372036854775807, 9223372036854775807)', 2, 85070591730234615847396907784232501249",
    "'(2, 4294967296, 4294967296, 4294967296)', 2, 158456325028528675187087900672"
  })
  void sizesThatLie(String shape, int has, String wants) {
    wrong(npy(1, dict("|i1", false, shape), 1, 2), "has " + has + " bytes", "wants " + wants);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "''",
        "{",
        "{}",
        "{'descr': '|i1'}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (2)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': 2}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': [2]}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (2.0,)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (2 1)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (9223372036854775808,)}",
        "{'descr': '|i1', 'fortran_order': 0, 'shape': (2,)}",
        "{'descr': '|i1', 'fortran_order': None, 'shape': (2,)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (2,)} and",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), 'more': 1}",
        "{'descr': '|i1', 'descr': '|i1', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '|i1' 'fortran_order': False, 'shape': (2,)}",
        "{'descr': __import__('os'), 'fortran_order': False, 'shape': (2,)}"
      })
  void headers(String dict) {
    wrong(npy(1, dict, 1, 2), "header", "numpy.save");
  }

  @Test
  void lengthsOfHeadersThatLie() {
    byte[] file = npy(2, GOOD, 1, 2);
    for (int bad : new int[] {0xff, 0x7f}) {
      byte[] lies = file.clone();
      lies[11] = (byte) bad;
      wrong(lies, "longer than 1 MiB");
    }
    byte[] short1 = npy(1, GOOD, 1, 2);
    short1[9] = (byte) 0xff;
    wrong(short1, "cut off inside its header");
  }

  @Test
  void filesThatAreCutOff() {
    byte[] file = npy(1, GOOD, 1, 2);
    for (int length = 0; length < file.length; length++) wrong(Arrays.copyOf(file, length));
  }

  @Test
  void tooManyDimensions() {
    assertThat(read(npy(1, dict("|i1", false, "(" + "1,".repeat(64) + ")"), 7))).isNull();
    wrong(npy(1, dict("|i1", false, "(" + "1,".repeat(65) + ")"), 7), "more than 64");
  }

  @Test
  void truthValuesThatAreNone() {
    wrong(npy(1, dict("|b1", false, "(2,)"), 1, 2), "neither 0 nor 1");
  }

  @Test
  void mutations() {
    Random random = new Random(20240607);
    byte[][] seeds = {
      npy(1, dict("<f4", false, "(1, 2)"), 0, 0, 0, 0, 0, 0, 0, 0),
      npy(2, dict(">i2", true, "(2, 2)"), 1, 2, 3, 4, 5, 6, 7, 8),
      npy(3, dict("|b1", false, "()"), 1)
    };
    for (int i = 0; i < 2000; i++) {
      byte[] file = seeds[i % seeds.length].clone();
      for (int n = 1 + random.nextInt(4); n > 0; n--) {
        int at = random.nextInt(file.length);
        switch (random.nextInt(4)) {
          case 0 -> file[at] = (byte) random.nextInt(256);
          case 1 -> file[at] ^= (byte) (1 << random.nextInt(8));
          case 2 -> file[at] = (byte) "0123456789(){}[],:'\"LO|<>TF ".charAt(random.nextInt(28));
          default -> file = Arrays.copyOf(file, at + 1);
        }
      }
      Throwable thrown = read(file);
      if (thrown != null)
        assertThat(thrown).as("mutation %d", i).isExactlyInstanceOf(IllegalArgumentException.class);
    }
  }

  private Throwable read(byte[] file) {
    Path written = NpyFiles.write(folder.resolve("x.npy"), file);
    return catchThrowable(() -> Npy.read(null, written));
  }

  private void wrong(byte[] file, String... says) {
    NpyFiles.write(folder.resolve("x.npy"), file);
    String message = message(folder.resolve("x.npy"));
    if (says.length > 0) assertThat(message).contains(says);
  }

  private static String message(Path file) {
    Throwable thrown = catchThrowable(() -> Npy.read(null, file));
    assertThat(thrown).isExactlyInstanceOf(IllegalArgumentException.class);
    assertThat(thrown.getMessage())
        .startsWith(file + ": ")
        .hasSizeLessThan(400 + file.toString().length());
    assertThat(thrown.getMessage().chars()).noneMatch(Character::isISOControl);
    return thrown.getMessage();
  }
}
