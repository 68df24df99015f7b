package org.rpx.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.Values;

/** What an input is said to hold arrives in LibTorch's memory. */
class NativeInputsTest {
  private static final Path MODELS = Path.of("src/test/resources/models");

  @ParameterizedTest
  @CsvSource({
    "3:float32=1.5, 00 00 c0 3f", // bits by IEEE 754
    "3:float64=-2, 00 00 00 00 00 00 00 c0",
    "3:float16=1, 00 3c",
    "3:bfloat16=1, 80 3f",
    "3:float32=inf, 00 00 80 7f",
    "3:float16=-inf, 00 fc",
    "3:float32=nan, 00 00 c0 7f",
    "3:int64=-9223372036854775808, 00 00 00 00 00 00 00 80",
    "3:int64=9007199254740993, 01 00 00 00 00 00 20 00", // 2^53 + 1: no double holds it
    "3:int32=-2, fe ff ff ff",
    "3:int16=258, 02 01",
    "3:int8=-128, 80",
    "3:uint8=255, ff",
    "3:bool=true, 01",
    "3:bool=false, 00"
  })
  void aFill(String input, String littleEndian) {
    try (NativeSession session = new NativeSession(MODELS.resolve("identity.pt"), "cpu")) {
      session.inputs(List.of(InputSpec.parse(input)), 0);

      assertThat(hex(session.inputs().get(0)))
          .isEqualTo(String.join(" ", littleEndian, littleEndian, littleEndian));
    }
  }

  @Test
  void aRangeIsDrawnFromTheSeed() {
    InputSpec range = InputSpec.parse("1000:int8=-3..4");
    try (NativeSession session = new NativeSession(MODELS.resolve("identity.pt"), "cpu")) {
      session.inputs(List.of(range), 1);
      String first = hex(session.inputs().get(0));
      session.inputs(List.of(range), 2);
      String second = hex(session.inputs().get(0));
      session.inputs(List.of(range), 1);

      // 1000 draws of 7 values miss none, but for one case in 10^65.
      assertThat(first.split(" ")).containsOnly("fd", "fe", "ff", "00", "01", "02", "03");
      assertThat(second).isNotEqualTo(first);
      assertThat(hex(session.inputs().get(0))).isEqualTo(first);
    }
  }

  @Test
  void dataIsCopied() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(8 + 24).order(ByteOrder.nativeOrder());
    // Begins inside of the buffer.
    bytes.position(8);
    for (float value : new float[] {1, -2, 3.5f, 0, 1e-20f, -0f}) bytes.putFloat(value);
    bytes.position(8);
    InputSpec tensor =
        new InputSpec.Tensor("x", List.of(2L, 3L), "float32", new Values.File("x.npy", bytes));
    try (NativeSession session = new NativeSession(MODELS.resolve("identity.pt"), "cpu")) {
      session.inputs(List.of(tensor), 0);
      for (int i = 8; i < 32; i++) bytes.put(i, (byte) 0x55);

      session.run();

      TensorMemory output = session.outputs().get(0);
      float[] values = new float[6];
      output.bytes().asFloatBuffer().get(values);
      assertThat(values).containsExactly(1, -2, 3.5f, 0, 1e-20f, -0f);
      assertThat(output.tensor().sizes()).containsExactly(2L, 3L);
    }
  }

  @Test
  void dataOnTheJavaHeapAndWithoutElements() {
    ByteBuffer heap = ByteBuffer.wrap(new byte[] {7, 8, 9}, 1, 2);
    Values empty = new Values.File("e.npy", ByteBuffer.allocateDirect(0));
    List<InputSpec> inputs =
        List.of(
            new InputSpec.Tensor(null, List.of(2L), "uint8", new Values.File("h.npy", heap)),
            new InputSpec.Tensor(null, List.of(0L, 3L), "int64", empty));
    try (NativeSession session = new NativeSession(MODELS.resolve("two_inputs.pt"), "cpu")) {
      session.inputs(inputs, 0);

      assertThat(hex(session.inputs().get(0))).isEqualTo("08 09");
      assertThat(session.inputs().get(1).tensor().sizes()).containsExactly(0L, 3L);
    }
  }

  @Test
  void floatingPointIsCast() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder());
    bytes.putFloat(0, 1.5f);
    List<InputSpec> inputs =
        List.of(
            new InputSpec.Tensor(null, List.of(1L), "float32", new Values.File("x", bytes)),
            InputSpec.parse("(1=1.5,1:int16=258)"));
    try (NativeSession session = new NativeSession(MODELS.resolve("two_inputs.pt"), "cpu")) {
      session.cast("bfloat16");
      session.inputs(inputs, 0);

      // 0x3fc0 is 1.5.
      assertThat(session.inputs().stream().map(NativeInputsTest::hex))
          .containsExactly("c0 3f", "c0 3f", "02 01");
    }
  }

  @Test
  void aFillBeyondTheCastIsInfinite() {
    try (NativeSession session = new NativeSession(MODELS.resolve("identity.pt"), "cpu")) {
      session.cast("float16");
      session.inputs(List.of(InputSpec.parse("1=1e6")), 0);

      assertThat(hex(session.inputs().get(0))).isEqualTo("00 7c");
    }
  }

  @Test
  void keysOfADict() {
    // An empty key is the last word of the text.
    Map<String, InputSpec> items = new LinkedHashMap<>();
    items.put("b", InputSpec.parse("1:int8=1"));
    items.put("", InputSpec.parse("1:int8=2"));
    InputSpec dict = new InputSpec.Dict(null, items);
    try (NativeSession session = new NativeSession(MODELS.resolve("dict_input.pt"), "cpu")) {
      session.inputs(List.of(dict), 0);

      assertThat(session.inputs()).extracting(TensorMemory::path).containsExactly("0.b", "0.");
      assertThat(session.inputs().stream().map(NativeInputsTest::hex)).containsExactly("01", "02");
    }
  }

  private static String hex(TensorMemory data) {
    StringBuilder hex = new StringBuilder();
    ByteBuffer bytes = data.bytes();
    while (bytes.hasRemaining()) hex.append(String.format("%02x ", bytes.get()));
    return hex.toString().strip();
  }
}
