package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.InputSpec;

class ArgumentsTest {
  private static final Argument IMAGE = new Argument("image", "Tensor", true);
  private static final Argument STATE = new Argument("state", "Tensor", true);
  private static final Argument MASK = new Argument("mask", "Optional[Tensor]", false);
  private static final Argument SCALE = new Argument("scale", "Optional[Tensor]", false);

  @Test
  void writesASignature() {
    assertThat(Arguments.signature(List.of(IMAGE, MASK)))
        .isEqualTo("forward(image: Tensor, mask: Optional[Tensor] = …)");
    assertThat(Arguments.signature(List.of())).isEqualTo("forward()");
  }

  @Test
  void fitsInOrder() {
    List<InputSpec> given = specs("1x3", "1x8");

    assertThat(Arguments.fit(given, List.of(IMAGE, STATE), null)).isEqualTo(given);
  }

  @Test
  void fitsByName() {
    assertThat(Arguments.fit(specs("state:1x8", "image:1x3"), List.of(IMAGE, STATE), null))
        .isEqualTo(specs("image:1x3", "state:1x8"));
  }

  @Test
  void fitsWhatHasNoNameIntoWhatIsLeft() {
    assertThat(Arguments.fit(specs("state:1x8", "1x3"), List.of(IMAGE, STATE), null))
        .isEqualTo(specs("1x3", "state:1x8"));
    assertThat(Arguments.fit(specs("1x3", "state:1x8"), List.of(IMAGE, STATE), null))
        .isEqualTo(specs("1x3", "state:1x8"));
    assertThat(Arguments.fit(specs("image:1x3", "1x8"), List.of(IMAGE, STATE), null))
        .isEqualTo(specs("image:1x3", "1x8"));
    assertThat(Arguments.fit(specs("mask:9", "1x3", "1x8"), List.of(IMAGE, STATE, MASK), null))
        .isEqualTo(specs("1x3", "1x8", "mask:9"));
  }

  @Test
  void fitsNestedInputsByName() {
    assertThat(Arguments.fit(specs("state:(1,2)", "image:{a=1}"), List.of(IMAGE, STATE), null))
        .isEqualTo(specs("image:{a=1}", "state:(1,2)"));
  }

  @Test
  void leavesOutDefaultsAtTheEnd() {
    assertThat(Arguments.fit(specs("1x3"), List.of(IMAGE, MASK), null)).isEqualTo(specs("1x3"));
    assertThat(Arguments.fit(specs("1x3", "9"), List.of(IMAGE, MASK), null))
        .isEqualTo(specs("1x3", "9"));
    assertThat(Arguments.fit(specs(), List.of(MASK), null)).isEmpty();
  }

  @Test
  void setsTheBatchOfEach() {
    assertThat(Arguments.fit(specs("state:(1x8,scalar)", "image:1x3"), List.of(IMAGE, STATE), 4))
        .isEqualTo(specs("image:4x3", "state:(4x8,scalar)"));
  }

  @Test
  void refusesTooFew() {
    assertThatThrownBy(() -> Arguments.fit(specs("1x3"), List.of(IMAGE, STATE), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the model wants 2 inputs, 1 given, state is missing");
    assertThatThrownBy(() -> Arguments.fit(specs(), List.of(IMAGE, MASK, SCALE), null))
        .hasMessage("the model wants 1 to 3 inputs, 0 given, image is missing");
    assertThatThrownBy(() -> Arguments.fit(specs("state:1x8"), List.of(IMAGE, STATE), null))
        .hasMessage("the model wants 2 inputs, 1 given, image is missing");
  }

  @Test
  void refusesTooMany() {
    assertThatThrownBy(() -> Arguments.fit(specs("1x3", "9"), List.of(IMAGE), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the model wants 1 input, 2 given");
    assertThatThrownBy(() -> Arguments.fit(specs("1x3"), List.of(), null))
        .hasMessage("the model wants 0 inputs, 1 given");
  }

  @Test
  void refusesAHoleBeforeADefault() {
    assertThatThrownBy(
            () -> Arguments.fit(specs("1x3", "scale:1"), List.of(IMAGE, MASK, SCALE), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the model wants 1 to 3 inputs");
  }

  @Test
  void refusesAnUnknownName() {
    assertThatThrownBy(() -> Arguments.fit(specs("img:1x3"), List.of(IMAGE), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no input called \"img\"");
  }

  @Test
  void refusesANameThatIsGivenTwice() {
    assertThatThrownBy(
            () -> Arguments.fit(specs("image:1x3", "image:2x3"), List.of(IMAGE, STATE), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("input image is given twice");
  }

  @Test
  void describesTensorsByPath() {
    List<InputSpec> specs = specs("1x3:int64", "(1x8=0.5,[2,3:bool],{rgb=4:uint8=0..256})");

    assertThat(Arguments.describe(specs, List.of(IMAGE, STATE), null))
        .containsExactly(
            new Input("image", List.of(1L, 3L), "int64", "zeros"),
            new Input("state.0", List.of(1L, 8L), "float32", "fill 0.5"),
            new Input("state.1.0", List.of(2L), "float32", "seeded uniform"),
            new Input("state.1.1", List.of(3L), "bool", "true"),
            new Input("state.2.rgb", List.of(4L), "uint8", "range 0..256"));
  }

  @Test
  void describesFloatingPointInputsAsTheyAreCast() {
    List<InputSpec> specs = specs("(1:float32,2:float64,3:bfloat16,4:int64,5:bool)");

    assertThat(Arguments.describe(specs, List.of(IMAGE), "float16"))
        .extracting(Input::dtype)
        .containsExactly("float16", "float16", "float16", "int64", "bool");
  }

  private static List<InputSpec> specs(String... words) {
    return Stream.of(words).map(InputSpec::parse).toList();
  }
}
