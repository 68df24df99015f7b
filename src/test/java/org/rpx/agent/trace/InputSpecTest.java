package org.rpx.agent.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
      "Write [name:]1x3x480x640[:float32], scalar:int64, (A,B), [A,B] or {key=A,key=B}";

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

  private static Tensor tensor(String name, String dtype, long... sizes) {
    return new Tensor(name, Arrays.stream(sizes).boxed().toList(), dtype);
  }
}
