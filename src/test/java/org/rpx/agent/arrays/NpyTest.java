package org.rpx.agent.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rpx.agent.arrays.NpyFiles.dict;
import static org.rpx.agent.arrays.NpyFiles.npy;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.Values;

class NpyTest {
  @TempDir Path folder;

  /** What numpy 2.4 wrote of {@code np.array([[1.5, -2]], '<f4')}. */
  private static final String FLOATS =
      "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDEsIDIp"
          + "LCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg"
          + "IAoAAMA/AAAAwA==";

  /** And of {@code np.asfortranarray(np.arange(6, dtype='>i2').reshape(2, 3))}. */
  private static final String BIG_FORTRAN =
      "k05VTVBZAQB2AHsnZGVzY3InOiAnPmkyJywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMyks"
          + "IH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg"
          + "IAoAAAADAAEABAACAAU=";

  @Test
  void readsWhatNumpyWrote() {
    InputSpec.Tensor floats = read(Base64.getDecoder().decode(FLOATS));
    FloatBuffer values = bytes(floats).asFloatBuffer();

    assertThat(floats.name()).isEqualTo("x");
    assertThat(floats.dtype()).isEqualTo("float32");
    assertThat(floats.shape()).containsExactly(1L, 2L);
    assertThat(values.get(0)).isEqualTo(1.5f);
    assertThat(values.get(1)).isEqualTo(-2f);
    assertThat(values.remaining()).isEqualTo(2);
    assertThat(((Values.File) floats.values()).name()).endsWith("x.npy");
    assertThat(bytes(floats).isDirect()).isTrue();
  }

  @Test
  void turnsBytesAndDimensionsRound() {
    InputSpec.Tensor shorts = read(Base64.getDecoder().decode(BIG_FORTRAN));

    assertThat(shorts.dtype()).isEqualTo("int16");
    assertThat(shorts.shape()).containsExactly(2L, 3L);
    short[] values = new short[6];
    bytes(shorts).asShortBuffer().get(values);
    assertThat(values).containsExactly(0, 1, 2, 3, 4, 5);
  }

  @Test
  void turnsThreeDimensionsRound() {
    // Element (i, j, k) of shape (2, 3, 2) lies at i + 2 j + 6 k: its value is 100 i + 10 j + k.
    int[] data = {0, 100, 10, 110, 20, 120, 1, 101, 11, 111, 21, 121};
    InputSpec.Tensor tensor = read(npy(1, dict("|u1", true, "(2, 3, 2)"), data));

    byte[] values = new byte[12];
    bytes(tensor).get(values);
    assertThat(values).containsExactly(0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void readsEachVersion(int major) {
    InputSpec.Tensor tensor = read(npy(major, dict("<i8", false, "()"), 5, 1, 0, 0, 0, 0, 0, 0));

    assertThat(tensor.dtype()).isEqualTo("int64");
    assertThat(tensor.shape()).isEmpty();
    assertThat(bytes(tensor).getLong()).isEqualTo(261);
  }

  @ParameterizedTest
  @CsvSource({
    "<f2, float16, 00 3c, 15360", // 0x3c00 is 1.0
    ">f2, float16, 3c 00, 15360",
    "<f4, float32, 00 00 c0 3f, 1069547520", // 0x3fc00000 is 1.5
    ">f4, float32, 3f c0 00 00, 1069547520",
    "<f8, float64, 00 00 00 00 00 00 f8 3f, 4609434218613702656", // 0x3ff8 << 48
    ">f8, float64, 3f f8 00 00 00 00 00 00, 4609434218613702656",
    "|i1, int8, fe, -2",
    "|u1, uint8, fe, -2",
    "<i2, int16, fe ff, -2",
    ">i2, int16, ff fe, -2",
    "<i4, int32, 04 03 02 01, 16909060",
    ">i4, int32, 01 02 03 04, 16909060",
    "<i8, int64, 08 07 06 05 04 03 02 01, 72623859790382856",
    ">i8, int64, 01 02 03 04 05 06 07 08, 72623859790382856",
    "|b1, bool, 01, 1"
  })
  void readsEachDtypeInEitherOrder(String descr, String dtype, String hex, long bits) {
    int[] data = Stream.of(hex.split(" ")).mapToInt(b -> Integer.parseInt(b, 16)).toArray();

    InputSpec.Tensor tensor = read(npy(1, dict(descr, false, "(1,)"), data));

    assertThat(tensor.dtype()).isEqualTo(dtype);
    assertThat(tensor.shape()).containsExactly(1L);
    ByteBuffer bytes = bytes(tensor);
    assertThat(bytes.remaining()).isEqualTo(data.length);
    long read =
        switch (data.length) {
          case 1 -> bytes.get();
          case 2 -> bytes.getShort();
          case 4 -> bytes.getInt();
          default -> bytes.getLong();
        };
    assertThat(read).isEqualTo(bits);
  }

  @Test
  void readsAnArrayWithoutElements() {
    for (String shape : new String[] {"(0,)", "(0, 3)", "(4611686018427387904, 0, 9)"})
      for (boolean fortran : new boolean[] {false, true})
        assertThat(bytes(read(npy(1, dict(">f4", fortran, shape)))).remaining()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"shape\":(2,1),\"descr\":\"|i1\",\"fortran_order\":False}",
        "{'fortran_order': False, 'descr': '|i1', 'shape': (2L, 1L,)}",
        "  { 'descr' : '<i1' , 'fortran_order' : False ,\n 'shape' : ( 2 , 1 ) , }"
      })
  void readsADictInAnyLayout(String dict) {
    assertThat(read(npy(1, dict, 1, 2)).shape()).containsExactly(2L, 1L);
  }

  private InputSpec.Tensor read(byte[] file) {
    return Npy.read("x", NpyFiles.write(folder.resolve("x.npy"), file));
  }

  private static ByteBuffer bytes(InputSpec.Tensor tensor) {
    ByteBuffer bytes = ((Values.File) tensor.values()).bytes();
    return bytes.duplicate().order(bytes.order());
  }
}
