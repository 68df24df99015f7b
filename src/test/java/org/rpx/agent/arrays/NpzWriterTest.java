package org.rpx.agent.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NpzWriterTest {
  /** What numpy 2.4 wrote of {@code np.array([[1.5, -2]], '<f4')}. */
  private static final String FLOATS =
      "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDEsIDIp"
          + "LCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg"
          + "IAoAAMA/AAAAwA==";

  /** And of {@code np.array(5, '<i8')}. */
  private static final String SCALAR =
      "k05VTVBZAQB2AHsnZGVzY3InOiAnPGk4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKCksIH0g"
          + "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg"
          + "IAoFAAAAAAAAAA==";

  /** And of {@code np.array([True, False])}. */
  private static final String TRUTHS =
      "k05VTVBZAQB2AHsnZGVzY3InOiAnfGIxJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwg"
          + "fSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg"
          + "IAoBAA==";

  @Test
  void writesTheBytesThatNumpyWrites() throws IOException {
    Map<String, byte[]> members =
        written(
            array("float32", List.of(1L, 2L), buffer(8).putFloat(1.5f).putFloat(-2)),
            array("int64", List.of(), buffer(8).putLong(5)),
            array("bool", List.of(2L), buffer(2).put((byte) 1).put((byte) 0)));

    assertThat(members.keySet()).containsExactly("a0.npy", "a1.npy", "a2.npy");
    assertThat(members.get("a0.npy")).isEqualTo(Base64.getDecoder().decode(FLOATS));
    assertThat(members.get("a1.npy")).isEqualTo(Base64.getDecoder().decode(SCALAR));
    assertThat(members.get("a2.npy")).isEqualTo(Base64.getDecoder().decode(TRUTHS));
  }

  /** bfloat16 0x3f80 is 1, 0xc040 is -3, 0x7f80 is infinite: float32 has 16 zero bits behind. */
  @Test
  void widensBfloat16() throws IOException {
    ByteBuffer halves = buffer(6);
    halves.putShort((short) 0x3f80).putShort((short) 0xc040).putShort((short) 0x7f80);

    byte[] file = written(array("bfloat16", List.of(3L), halves)).get("a0.npy");

    assertThat(header(file)).contains("'descr': '<f4'", "'shape': (3,)");
    ByteBuffer data = ByteBuffer.wrap(file, 128, 12).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(data.getFloat()).isEqualTo(1f);
    assertThat(data.getFloat()).isEqualTo(-3f);
    assertThat(data.getFloat()).isEqualTo(Float.POSITIVE_INFINITY);
  }

  /** More than the writer holds at a time: 100,000 numbers, each 2 as a bfloat16. */
  @Test
  void writesInChunks() throws IOException {
    ByteBuffer twos = buffer(200_000);
    while (twos.hasRemaining()) twos.putShort((short) 0x4000);

    byte[] file = written(array("bfloat16", List.of(100_000L), twos)).get("a0.npy");

    ByteBuffer data = ByteBuffer.wrap(file, 128, 400_000).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(file).hasSize(128 + 400_000);
    while (data.hasRemaining()) assertThat(data.getFloat()).isEqualTo(2f);
  }

  @ParameterizedTest
  @CsvSource({
    "float16, 2, <f2",
    "float64, 8, <f8",
    "int8, 1, |i1",
    "int16, 2, <i2",
    "int32, 4, <i4",
    "uint8, 1, |u1",
    "uint16, 2, <u2",
    "uint32, 4, <u4",
    "uint64, 8, <u8",
    "complex64, 8, <c8",
    "complex128, 16, <c16"
  })
  void namesDtypesAsNumpyDoes(String dtype, int bytes, String descr) throws IOException {
    byte[] file =
        written(array(dtype, List.of(1L, 1L), buffer(bytes).position(bytes))).get("a0.npy");

    assertThat(header(file)).contains("'descr': '" + descr + "'", "'shape': (1, 1)");
    assertThat(file).hasSize(128 + bytes);
  }

  @Test
  void theSameArraysMakeTheSameFile() throws IOException {
    NamedArray array = array("int8", List.of(2L), buffer(2).put((byte) 1).put((byte) 2)).named(0);
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    ByteArrayOutputStream second = new ByteArrayOutputStream();
    NpzWriter.write(List.of(array), first);
    NpzWriter.write(List.of(array), second);

    assertThat(first.toByteArray()).isEqualTo(second.toByteArray());
  }

  @Test
  void refusesWhatNumpyHasNoDtypeFor() {
    assertThatThrownBy(() -> new NamedArray("out0", "qint8", List.of(1L), buffer(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("out0 is qint8", "NumPy", "dequantize");
    assertThatThrownBy(() -> new NamedArray("out0", "float8_e4m3fn", List.of(1L), buffer(1)))
        .hasMessageContainingAll("float8_e4m3fn", "return it as float32");
    assertThatThrownBy(() -> new NamedArray("out0", "float32", List.of(2L), buffer(4)))
        .hasMessageContainingAll("4 bytes", "wants 8");
    assertThatThrownBy(() -> new NamedArray("out0", "float32", List.of(1L << 30), buffer(4)))
        .hasMessageContainingAll("out0", "2 GiB", "smaller batch");
  }

  private interface Unnamed {
    NamedArray named(int i);
  }

  private static Unnamed array(String dtype, List<Long> shape, ByteBuffer filled) {
    return i -> new NamedArray("a" + i, dtype, shape, filled.duplicate().flip());
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
  }

  private static Map<String, byte[]> written(Unnamed... arrays) throws IOException {
    List<NamedArray> named = new java.util.ArrayList<>();
    for (Unnamed array : arrays) named.add(array.named(named.size()));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    NpzWriter.write(named, out);
    Map<String, byte[]> members = new LinkedHashMap<>();
    ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(out.toByteArray()));
    for (ZipEntry e = zip.getNextEntry(); e != null; e = zip.getNextEntry()) {
      assertThat(e.getMethod()).isEqualTo(ZipEntry.STORED);
      members.put(e.getName(), zip.readAllBytes());
    }
    return members;
  }

  private static String header(byte[] file) {
    return new String(file, 10, 118, StandardCharsets.US_ASCII);
  }
}
