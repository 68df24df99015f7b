package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.report.Warning;

class InputSetsTest {
  private static Input x(long rows, String values) {
    return new Input("x", List.of(rows, 4L), "float32", values);
  }

  @Test
  void oneSetIsItself() {
    assertThat(InputSets.describe(List.of(List.of(x(2, "zeros"))))).containsExactly(x(2, "zeros"));
    assertThat(InputSets.flag(List.of(List.of(x(2, "zeros"))))).isNull();
  }

  @Test
  void valuesNameTheSets() {
    Input y = new Input("y", List.of(), "int64", "fill 5");
    List<List<Input>> sets =
        List.of(
            List.of(x(2, "file a"), y),
            List.of(x(2, "file b"), y),
            List.of(x(2, "file c"), y),
            List.of(x(2, "file d"), y));

    assertThat(InputSets.describe(sets))
        .containsExactly(
            x(2, "4 sets in turns, the first counted: file a; file b; file c and 1 more"), y);
    assertThat(InputSets.flag(sets)).isNull();
  }

  @Test
  void otherShapesAreSaidAndFlagged() {
    List<List<Input>> sets = List.of(List.of(x(2, "file a")), List.of(x(3, "file b")));

    assertThat(InputSets.describe(sets).get(0).values())
        .isEqualTo(
            "2 sets in turns, the first counted: float32 [2, 4] file a; float32 [3, 4] file b");
    Warning flag = InputSets.flag(sets);
    assertThat(flag.code()).isEqualTo(Warning.Code.MIXED_INPUTS);
    assertThat(flag.message()).contains("2 shapes of x", "of the mixture", "of the first set");
  }

  @Test
  void setsHaveTheSameInputs() {
    Input y = new Input("y", List.of(), "int64", "fill 5");
    assertThatThrownBy(() -> InputSets.describe(List.of(List.of(x(2, "")), List.of(x(2, ""), y))))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("set 2 of --input-file has [x, y]", "the first has [x]");
  }
}
