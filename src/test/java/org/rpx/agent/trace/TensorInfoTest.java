package org.rpx.agent.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Extents are counted off by hand: one past the last element, from the first. */
class TensorInfoTest {

  @Test
  void multipliesSizes() {
    assertThat(tensor(List.of(2L, 3L, 4L), List.of(12L, 4L, 1L)).elements()).isEqualTo(24);
    assertThat(tensor(List.of(), List.of()).elements()).isEqualTo(1);
    assertThat(tensor(List.of(5L, 0L), List.of(1L, 1L)).elements()).isZero();
  }

  @Test
  void countsSizesFromTheEnd() {
    TensorInfo t = tensor(List.of(2L, 3L, 4L), List.of(12L, 4L, 1L));

    assertThat(t.rank()).isEqualTo(3);
    assertThat(t.size(0)).isEqualTo(2);
    assertThat(t.size(2)).isEqualTo(4);
    assertThat(t.size(-1)).isEqualTo(4);
    assertThat(t.size(-3)).isEqualTo(2);
    assertThatThrownBy(() -> t.size(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> t.size(-4)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void spansItsElementsWherePacked() {
    assertThat(tensor(List.of(2L, 3L, 4L), List.of(12L, 4L, 1L)).extent()).isEqualTo(24);
    assertThat(tensor(List.of(3L, 2L), List.of(1L, 3L)).extent()).isEqualTo(6);
    assertThat(tensor(List.of(), List.of()).extent()).isEqualTo(1);
  }

  @Test
  void spansOneCopyWhereExpanded() {
    TensorInfo expanded = tensor(List.of(100L, 5L), List.of(0L, 1L));

    assertThat(expanded.elements()).isEqualTo(500);
    assertThat(expanded.extent()).isEqualTo(5);
  }

  /** A column of a 10 x 10 matrix: its last element is the 91st from its first. */
  @Test
  void spansTheHolesWhereStrided() {
    assertThat(tensor(List.of(10L), List.of(10L)).extent()).isEqualTo(91);
    assertThat(tensor(List.of(10L, 2L), List.of(10L, 3L)).extent()).isEqualTo(94);
  }

  @Test
  void spansNothingWhereEmpty() {
    assertThat(tensor(List.of(5L, 0L), List.of(3L, 1L)).extent()).isZero();
    assertThat(tensor(List.of(0L, 5L), List.of(-1L, -1L)).extent()).isZero();
  }

  @Test
  void spansItsElementsWhereItHasNoStrides() {
    assertThat(tensor(List.of(5L, 7L), List.of(-1L, -1L)).extent()).isEqualTo(35);
  }

  @Test
  void doesNotWrapAround() {
    long large = 1L << 32;

    assertThatThrownBy(() -> tensor(List.of(large, large), List.of(large, 1L)).elements())
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> tensor(List.of(large, 2L), List.of(large, 1L)).extent())
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> tensor(List.of(2L), List.of(Long.MAX_VALUE)).extent())
        .isInstanceOf(ArithmeticException.class);
    assertThat(tensor(List.of(2L), List.of(Long.MAX_VALUE - 1)).extent()).isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @CsvSource({
    "float32, true",
    "float64, true",
    "float16, true",
    "bfloat16, true",
    "float8_e4m3fn, true",
    "int64, false",
    "qint8, false",
    "bool, false",
    "complex64, false"
  })
  void tellsFloatingPoint(String dtype, boolean floating) {
    assertThat(new TensorInfo(dtype, 1, 0, 0, 1, List.of(), List.of()).floating())
        .isEqualTo(floating);
  }

  private static TensorInfo tensor(List<Long> sizes, List<Long> strides) {
    return new TensorInfo("float32", 4, 0, 0, 4000, sizes, strides);
  }
}
