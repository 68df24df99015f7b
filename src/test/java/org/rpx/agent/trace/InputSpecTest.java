package org.rpx.agent.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.trace.InputSpec.Dict;
import org.rpx.agent.trace.InputSpec.Sequence;
import org.rpx.agent.trace.InputSpec.Tensor;

class InputSpecTest {
  private static final String GRAMMAR =
      "Write [name:]1x3x480x640[:float32][=0.5], scalar:int64, 1x16:int64=0..1000, (A,B), [A,B]"
          + " or {key=A,key=B}";

  @Test
  void readsATensor() {
    assertThat(InputSpec.parse("1x3x480x640")).isEqualTo(tensor(null, "float32", 1, 3, 480, 640));
    assertThat(InputSpec.parse("7")).isEqualTo(tensor(null, "float32", 7));
    assertThat(InputSpec.parse("1,3,4")).isEqualTo(tensor(null, "float32", 1, 3, 4));
    assertThat(InputSpec.parse("0x3")).isEqualTo(tensor(null, "float32", 0, 3));
    assertThat(InputSpec.parse("1x3:int64")).isEqualTo(tensor(null, "int64", 1, 3));
    assertThat(InputSpec.parse("  1x3 ")).isEqualTo(tensor(null, "float32", 1, 3));
  }

  @Test
  void readsAName() {
    assertThat(InputSpec.parse("image:1x3")).isEqualTo(tensor("image", "float32", 1, 3));
    assertThat(InputSpec.parse("image:1x3:float16")).isEqualTo(tensor("image", "float16", 1, 3));
    assertThat(InputSpec.parse("x:scalar")).isEqualTo(tensor("x", "float32"));
    assertThat(InputSpec.parse("x:scalar:bool")).isEqualTo(tensor("x", "bool"));
  }

  @Test
  void readsAScalar() {
    assertThat(InputSpec.parse("scalar")).isEqualTo(tensor(null, "float32"));
    assertThat(InputSpec.parse("scalar:int64")).isEqualTo(tensor(null, "int64"));
  }

  @Test
  void readsATupleAndAList() {
    List<InputSpec> items = List.of(tensor(null, "float32", 1, 3), tensor(null, "int64", 2));

    assertThat(InputSpec.parse("(1x3,2:int64)")).isEqualTo(new Sequence(null, "tuple", items));
    assertThat(InputSpec.parse("[1x3,2:int64]")).isEqualTo(new Sequence(null, "list", items));
    assertThat(InputSpec.parse("( 1x3 , 2:int64 )")).isEqualTo(new Sequence(null, "tuple", items));
    assertThat(InputSpec.parse("pair:(1x3,2:int64)"))
        .isEqualTo(new Sequence("pair", "tuple", items));
    assertThat(InputSpec.parse("(1x3,)"))
        .isEqualTo(new Sequence(null, "tuple", items.subList(0, 1)));
  }

  @Test
  void readsADict() {
    Map<String, InputSpec> items =
        Map.of("rgb", tensor(null, "float32", 1, 3), "depth", tensor(null, "float16", 1, 1));

    assertThat(InputSpec.parse("{rgb=1x3,depth=1x1:fp16}")).isEqualTo(new Dict(null, items));
    assertThat(InputSpec.parse("{ rgb = 1x3 , depth=1x1:fp16 }")).isEqualTo(new Dict(null, items));
    assertThat(InputSpec.parse("obs:{rgb=1x3,depth=1x1:fp16}")).isEqualTo(new Dict("obs", items));
    assertThat(((Dict) InputSpec.parse("{c=1,a=1,b=1}")).items().keySet())
        .containsExactly("c", "a", "b");
  }

  @Test
  void readsWhatIsNested() {
    assertThat(InputSpec.parse("(1x3,[2,3],{a=(4,5)})"))
        .isEqualTo(
            new Sequence(
                null,
                "tuple",
                List.of(
                    tensor(null, "float32", 1, 3),
                    new Sequence(
                        null,
                        "list",
                        List.of(tensor(null, "float32", 2), tensor(null, "float32", 3))),
                    new Dict(
                        null,
                        Map.of(
                            "a",
                            new Sequence(
                                null,
                                "tuple",
                                List.of(
                                    tensor(null, "float32", 4), tensor(null, "float32", 5))))))));
  }

  @ParameterizedTest
  @CsvSource({
    "float32, float32",
    "fp32, float32",
    "float, float32",
    "float64, float64",
    "fp64, float64",
    "double, float64",
    "float16, float16",
    "fp16, float16",
    "half, float16",
    "bfloat16, bfloat16",
    "bf16, bfloat16",
    "int64, int64",
    "long, int64",
    "int32, int32",
    "int, int32",
    "int16, int16",
    "int8, int8",
    "uint8, uint8",
    "bool, bool",
    "FP16, float16",
    "Half, float16"
  })
  void readsADtypeByItsNames(String word, String dtype) {
    assertThat(InputSpec.parse("1x3:" + word)).isEqualTo(tensor(null, dtype, 1, 3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "abc",
        "1x",
        "x3",
        "1xx3",
        "1x3x",
        "-1x3",
        "1.5x3",
        "1x3:",
        ":1x3",
        "a:b:1x3",
        "a:1x3:float32:b",
        "image:",
        "scalarx3",
        "1x-3"
      })
  void refusesWhatIsNoShape(String word) {
    assertThatThrownBy(() -> InputSpec.parse(word))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + word.strip() + "\"")
        .hasMessageContaining(GRAMMAR);
  }

  @Test
  void refusesAnUnknownDtypeAndNamesThoseThereAre() {
    assertThatThrownBy(() -> InputSpec.parse("1x3:float99"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"1x3:float99\"")
        .hasMessageContaining("no dtype \"float99\"")
        .hasMessageContaining("float32, float64, float16, bfloat16, int64, int32, int16, int8")
        .hasMessageContaining(GRAMMAR);
  }

  @Test
  void refusesASizeThatIsTooLarge() {
    assertThatThrownBy(() -> InputSpec.parse("1x9223372036854775808"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("size 9223372036854775808 is too large")
        .hasMessageContaining(GRAMMAR);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(1x3", "[1x3)", "(1x3]", "{a=1x3)", "(1x3))", "((1x3)", "()", "[]", "{}", "(,)", "x(1x3)",
        "(1x3)x", "([1x3)]", "(1)(2)"
      })
  void refusesBracketsThatDoNotClose(String word) {
    assertThatThrownBy(() -> InputSpec.parse(word))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(GRAMMAR);
  }

  @Test
  void saysWhatIsWrongWithABracket() {
    assertThatThrownBy(() -> InputSpec.parse("(1x3"))
        .hasMessageContaining("\"(1x3\"")
        .hasMessageContaining("no closing )");
    assertThatThrownBy(() -> InputSpec.parse("x(1x3)"))
        .hasMessageContaining("\"x(1x3)\"")
        .hasMessageContaining("colon");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{1x3}", "{=1x3}", "{a=1x3,2}"})
  void refusesADictWithoutKeys(String word) {
    assertThatThrownBy(() -> InputSpec.parse(word))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + word + "\"")
        .hasMessageContaining("has no key=")
        .hasMessageContaining(GRAMMAR);
  }

  @Test
  void refusesAKeyThatIsGivenTwice() {
    assertThatThrownBy(() -> InputSpec.parse("{a=1x3,a=2x3}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"{a=1x3,a=2x3}\"")
        .hasMessageContaining("twice")
        .hasMessageContaining(GRAMMAR);
  }

  @Test
  void setsTheFirstSizeOfEveryTensor() {
    assertThat(InputSpec.parse("image:1x3x4:fp16").withBatch(8))
        .isEqualTo(tensor("image", "float16", 8, 3, 4));
    assertThat(InputSpec.parse("scalar:int64").withBatch(8)).isEqualTo(tensor(null, "int64"));
    assertThat(InputSpec.parse("p:(1x3,[2x5,scalar])").withBatch(8))
        .isEqualTo(InputSpec.parse("p:(8x3,[8x5,scalar])"));
    assertThat(InputSpec.parse("d:{a=1x3,b=2:int64}").withBatch(8))
        .isEqualTo(InputSpec.parse("d:{a=8x3,b=8:int64}"));
  }

  @Test
  void makesATensorWithoutAName() {
    assertThat(InputSpec.tensor("int64", 2, 5)).isEqualTo(tensor(null, "int64", 2, 5));
  }

  @ParameterizedTest
  @CsvSource({
    "4x64:float32=1.0, 1.0",
    "4x64=1, 1.0",
    "x:4x64:float16=-65504, -65504.0",
    "4x64:float64=1e-300, 1e-300",
    "4x64:bf16=+.5, 0.5",
    "4x64=5., 5.0",
    "4x64 = 2.5e3, 2500.0",
    "4x64=inf, Infinity",
    "4x64=-Inf, -Infinity",
    "4x64=nan, NaN"
  })
  void fillsWithANumber(String word, double value) {
    Tensor tensor = (Tensor) InputSpec.parse(word);

    assertThat(tensor.values()).isEqualTo(new Values.Fill(value));
    assertThat(tensor.shape()).containsExactly(4L, 64L);
  }

  @ParameterizedTest
  @CsvSource({
    "steps:scalar:int64=5, 5",
    "scalar:int64=-9223372036854775808, -9223372036854775808",
    "scalar:int64=9223372036854775807, 9223372036854775807",
    "scalar:int=-2147483648, -2147483648",
    "3:int16=32767, 32767",
    "3:int8=-128, -128",
    "3:uint8=255, 255",
    "3:bool=true, 1",
    "3:bool=False, 0"
  })
  void fillsWithAnInteger(String word, long value) {
    assertThat(((Tensor) InputSpec.parse(word)).values()).isEqualTo(new Values.Fill(value));
  }

  @Test
  void drawsFromARange() {
    Tensor tokens = (Tensor) InputSpec.parse("tokens:1x128:int64=1..1000");

    assertThat(tokens)
        .isEqualTo(new Tensor("tokens", List.of(1L, 128L), "int64", new Values.Range(1, 1000)));
    assertThat(InputSpec.parse("2=-3..4"))
        .isEqualTo(new Tensor(null, List.of(2L), "int64", new Values.Range(-3, 4)));
    assertThat(InputSpec.parse("2:uint8=0..256"))
        .isEqualTo(new Tensor(null, List.of(2L), "uint8", new Values.Range(0, 256)));
  }

  @Test
  void fillsWhatIsNested() {
    assertThat(InputSpec.parse("{rgb=1x3:float32=0.5,n=scalar:int64=2}"))
        .isEqualTo(
            new Dict(
                null,
                Map.of(
                    "rgb",
                    new Tensor(null, List.of(1L, 3L), "float32", new Values.Fill(0.5)),
                    "n",
                    new Tensor(null, List.of(), "int64", new Values.Fill(2L)))));
    assertThat(((Sequence) InputSpec.parse("(1x3=2,4:int8=0..2)")).items())
        .containsExactly(
            new Tensor(null, List.of(1L, 3L), "float32", new Values.Fill(2.0)),
            new Tensor(null, List.of(4L), "int8", new Values.Range(0, 2)));
  }

  @ParameterizedTest
  @CsvSource({
    "4=, is no number",
    "4=x, is no number",
    "4=1f, is no number",
    "4=0x1p3, is no number",
    "4=1=2, is no number",
    "4=true, is no number",
    "4=1e999, beyond float32",
    "4=1e39, beyond float32",
    "4:float16=65505, beyond float16",
    "4:bfloat16=3.4e38, beyond bfloat16",
    "4:int64=1.0, is neither an integer",
    "4:int64=1e3, is neither an integer",
    "4:int64=9223372036854775808, beyond 64 bits",
    "4:int32=2147483648, beyond int32",
    "4:int16=-32769, beyond int16",
    "4:int8=128, beyond int8",
    "4:uint8=-1, beyond uint8",
    "4:uint8=256, beyond uint8",
    "4:bool=1, true or false",
    "4:bool=0..2, a range is of integers",
    "4:float32=1..2, a range is of integers",
    "4:int64=2..2, the range is empty",
    "4:int64=3..2, the range is empty",
    "4:uint8=0..257, beyond uint8",
    "4:int8=-129..0, beyond int8"
  })
  void refusesAValueThatTheDtypeDoesNotHold(String word, String says) {
    assertThatThrownBy(() -> InputSpec.parse(word))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + word + "\"")
        .hasMessageContaining(says)
        .hasMessageContaining(GRAMMAR);
  }

  @Test
  void saysWhatATensorHolds() {
    assertThat(describe("4")).isEqualTo("seeded uniform");
    assertThat(describe("4:int64")).isEqualTo("zeros");
    assertThat(describe("4:bool")).isEqualTo("true");
    assertThat(describe("4=1")).isEqualTo("fill 1.0");
    assertThat(describe("4:int64=5")).isEqualTo("fill 5");
    assertThat(describe("4:bool=false")).isEqualTo("fill false");
    assertThat(describe("4=1..1000")).isEqualTo("range 1..1000");
    assertThat(new Values.File("x.npy", ByteBuffer.allocate(4)).describe("float32"))
        .isEqualTo("file x.npy");
  }

  @Test
  void dataOfAFileKeepsItsFirstSize() {
    Values data = new Values.File("x.npy", ByteBuffer.allocate(2 * 3 * 4));
    InputSpec tensor = new Tensor("x", List.of(2L, 3L), "float32", data);

    assertThat(tensor.withBatch(2)).isEqualTo(tensor);
    assertThatThrownBy(() -> new Sequence("s", "tuple", List.of(tensor)).withBatch(4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("batch 4 does not fit x.npy")
        .hasMessageContaining("first size of 2");
    assertThatThrownBy(() -> new Tensor("x", List.of(2L, 4L), "float32", data))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("24 bytes, its shape wants 32");
  }

  @Test
  void aBatchKeepsOtherValues() {
    assertThat(InputSpec.parse("(1x3=0.5,2:int8=0..2)").withBatch(8))
        .isEqualTo(InputSpec.parse("(8x3=0.5,8:int8=0..2)"));
  }

  @Test
  void namesAnyInput() {
    for (String word : List.of("1x3=2", "(1,2)", "{a=1}"))
      assertThat(InputSpec.parse(word).withName("x")).isEqualTo(InputSpec.parse("x:" + word));
  }

  @Test
  void refusesWhatIsDeeperOrLongerThanAnyInput() {
    assertThat(InputSpec.parse("(".repeat(100) + "1" + ")".repeat(100))).isNotNull();
    for (String word :
        List.of(
            "(".repeat(101) + "1" + ")".repeat(101),
            "(".repeat(100_000),
            "1x".repeat(100_000) + "1"))
      assertThatThrownBy(() -> InputSpec.parse(word))
          .isInstanceOf(IllegalArgumentException.class)
          .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(600));
  }

  @Test
  void refusesAKeyThatIsNoLine() {
    assertThatThrownBy(() -> new Dict(null, Map.of("a\nb", tensor(null, "float32", 1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("control character");
  }

  private static String describe(String word) {
    Tensor tensor = (Tensor) InputSpec.parse(word);
    return tensor.values().describe(tensor.dtype());
  }

  private static Tensor tensor(String name, String dtype, long... sizes) {
    return new Tensor(name, Arrays.stream(sizes).boxed().toList(), dtype);
  }
}
