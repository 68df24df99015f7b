package org.rpx.agent.tier1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rpx.agent.tier1.Calls.loose;
import static org.rpx.agent.tier1.Calls.tensor;
import static org.rpx.agent.tier1.Calls.typed;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names are those of the table in docs/method.md. */
class PrecisionTest {

  @ParameterizedTest
  @CsvSource({
    "float32, fp32",
    "float16, fp16",
    "bfloat16, bf16",
    "float64, fp64",
    "int8, int8",
    "uint8, int8",
    "qint8, int8",
    "quint8, int8"
  })
  void namesTheTypeOfTheParameters(String dtype, String precision) {
    assertThat(Precision.of(List.of(typed(dtype, 3)), List.of())).isEqualTo(precision);
  }

  /** 10 float64 are 80 bytes and 11 float16 are 22: elements decide. */
  @Test
  void takesTheTypeOfMostElements() {
    assertThat(Precision.of(List.of(typed("float64", 10), typed("float16", 11)), List.of()))
        .isEqualTo("fp16");
    assertThat(
            Precision.of(
                List.of(typed("float16", 6), typed("float64", 10), typed("float16", 5)), List.of()))
        .isEqualTo("fp16");
  }

  /** A quantised Linear(73, 256) has biases in floating point. */
  @Test
  void takesPackedWeightsForInt8() {
    assertThat(Precision.of(List.of(loose("qint8", 256, 73), loose("float32", 256)), List.of()))
        .isEqualTo("int8");
  }

  @Test
  void leavesOutWhatIsNoPrecision() {
    assertThat(Precision.of(List.of(typed("int64", 100), typed("float16", 3)), List.of()))
        .isEqualTo("fp16");
  }

  @Test
  void asksTheInputsWhereThereAreNoParameters() {
    assertThat(Precision.of(List.of(), List.of(typed("bfloat16", 3)))).isEqualTo("bf16");
    assertThat(Precision.of(List.of(), List.of(typed("int8", 100), typed("float16", 3))))
        .isEqualTo("fp16");
    assertThat(Precision.of(List.of(tensor(1)), List.of(typed("float16", 100)))).isEqualTo("fp32");
  }

  @Test
  void isNullWhereNothingTells() {
    assertThat(Precision.of(List.of(), List.of())).isNull();
    assertThat(Precision.of(List.of(), List.of(typed("int64", 3), typed("uint8", 3)))).isNull();
    assertThat(Precision.of(List.of(typed("bool", 3)), List.of())).isNull();
  }
}
