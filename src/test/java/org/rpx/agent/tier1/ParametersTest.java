package org.rpx.agent.tier1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.rpx.agent.tier1.Calls.longs;
import static org.rpx.agent.tier1.Calls.loose;
import static org.rpx.agent.tier1.Calls.parameter;
import static org.rpx.agent.tier1.Calls.slice;
import static org.rpx.agent.tier1.Calls.tensor;
import static org.rpx.agent.tier1.Calls.typed;
import static org.rpx.agent.tier1.Calls.view;
import static org.rpx.agent.tier1.Calls.weight;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** Elements and bytes are counted off by hand: what shares memory counts once. */
class ParametersTest {

  @Test
  void addsUpWhatShareNothing() {
    List<TensorInfo> tensors = List.of(tensor(10, 3), typed("float16", 7), tensor());

    assertThat(Parameters.elements(tensors)).isEqualTo(30 + 7 + 1);
    assertThat(Parameters.bytes(tensors)).isEqualTo(30 * 4 + 7 * 2 + 4);
    assertThat(Parameters.elements(List.of())).isZero();
  }

  /** GPT-2 (124M): 50257 embeddings of 768, which the head shares. Its size is Hugging Face's. */
  @Test
  void countsATiedHeadOnce() {
    TensorInfo embedding = tensor(50257, 768);
    TensorInfo rest = tensor(124_439_808 - 50257 * 768);
    List<TensorInfo> tied = List.of(embedding, rest, embedding);

    assertThat(Parameters.elements(tied)).isEqualTo(124_439_808);
    assertThat(Parameters.bytes(tied)).isEqualTo(4L * 124_439_808);
  }

  @Test
  void countsATransposedTieOnce() {
    TensorInfo w = tensor(3, 4);

    assertThat(Parameters.elements(List.of(w, view(w, 0, longs(4, 3), longs(1, 4))))).isEqualTo(12);
  }

  @Test
  void countsAnOverlapOnce() {
    TensorInfo base = tensor(100);

    assertThat(Parameters.elements(List.of(slice(base, 0, 10), slice(base, 5, 10)))).isEqualTo(15);
    assertThat(Parameters.elements(List.of(slice(base, 5, 10), slice(base, 0, 10)))).isEqualTo(15);
    assertThat(Parameters.elements(List.of(slice(base, 20, 5), base))).isEqualTo(100);
    assertThat(Parameters.bytes(List.of(slice(base, 0, 10), slice(base, 5, 10)))).isEqualTo(60);
  }

  @Test
  void countsSlicesAndNotTheStorageAroundThem() {
    TensorInfo base = tensor(100);

    assertThat(Parameters.elements(List.of(slice(base, 0, 10), slice(base, 50, 10)))).isEqualTo(20);
  }

  /** Even and odd elements of one tensor: each spans it, and together they are it. */
  @Test
  void countsInterleavedHalvesAsTheWhole() {
    TensorInfo base = tensor(100);
    TensorInfo even = view(base, 0, longs(50), longs(2));
    TensorInfo odd = view(base, 1, longs(50), longs(2));

    assertThat(Parameters.elements(List.of(even, odd))).isEqualTo(100);
    assertThat(Parameters.elements(List.of(even, odd, base))).isEqualTo(100);
  }

  @Test
  void doesNotCountTheHolesOfAColumn() {
    TensorInfo column = view(tensor(10, 10), 0, longs(10), longs(10));

    assertThat(Parameters.elements(List.of(column))).isEqualTo(10);
    assertThat(Parameters.elements(List.of(column, column))).isEqualTo(10);
    assertThat(Parameters.bytes(List.of(column))).isEqualTo(40);
  }

  /** The diagonal begins and ends where the matrix does. */
  @Test
  void countsAMatrixAndItsDiagonalAsTheMatrixInEitherOrder() {
    TensorInfo matrix = tensor(10, 10);
    List<TensorInfo> both = new ArrayList<>(List.of(matrix, view(matrix, 0, longs(10), longs(11))));

    assertThat(Parameters.elements(both)).isEqualTo(100);
    Collections.reverse(both);
    assertThat(Parameters.elements(both)).isEqualTo(100);
  }

  @Test
  void countsAnExpandedTensorAtWhatIsStored() {
    TensorInfo base = tensor(100);
    TensorInfo expanded = view(base, 0, longs(100, 5), longs(0, 1));
    TensorInfo column = view(base, 5, longs(10), longs(10));

    assertThat(Parameters.elements(List.of(expanded))).isEqualTo(5);
    assertThat(Parameters.elements(List.of(expanded, column))).isEqualTo(5 + 10);
  }

  @Test
  void countsNothingForAnEmptyTensor() {
    TensorInfo base = tensor(10);

    assertThat(Parameters.elements(List.of(tensor(0, 7), slice(base, 3, 0), base))).isEqualTo(10);
  }

  /** Nothing says that two of them are the same. */
  @Test
  void countsEachTensorWithoutMemory() {
    List<TensorInfo> packed = List.of(loose("qint8", 20), loose("qint8", 20));

    assertThat(Parameters.elements(packed)).isEqualTo(40);
    assertThat(Parameters.bytes(packed)).isEqualTo(40);
  }

  @Test
  void takesRegisteredParametersAndNoBuffers() {
    List<Weight> weights =
        List.of(
            parameter(tensor(10)), weight("buffer", tensor(3)), weight("parameter", tensor(20)));

    assertThat(Parameters.elements(Parameters.of(weights))).isEqualTo(30);
  }

  @Test
  void takesTheFloatingPointConstantsOfAFrozenGraph() {
    List<Weight> weights =
        List.of(
            weight("constant", tensor(10)),
            weight("constant", typed("bfloat16", 20)),
            weight("constant", typed("int64", 5)),
            weight("buffer", tensor(3)));

    assertThat(Parameters.elements(Parameters.of(weights))).isEqualTo(30);
    assertThat(Parameters.bytes(Parameters.of(weights))).isEqualTo(10 * 4 + 20 * 2);
  }

  @Test
  void takesNoConstantsBesideParameters() {
    TensorInfo constant = tensor(10);

    assertThat(Parameters.of(List.of(parameter(tensor(7)), weight("constant", constant))))
        .hasSize(1)
        .doesNotContain(constant);
    assertThat(
            Parameters.of(
                List.of(weight("packed", loose("qint8", 7)), weight("constant", constant))))
        .hasSize(1)
        .doesNotContain(constant);
  }

  /** A quantised Linear(73, 256): weights of 1 byte, biases of 4. */
  @Test
  void takesPackedWeights() {
    List<Weight> weights =
        List.of(weight("packed", loose("qint8", 256, 73)), weight("packed", loose("float32", 256)));

    assertThat(Parameters.elements(Parameters.of(weights))).isEqualTo(256 * 73 + 256);
    assertThat(Parameters.bytes(Parameters.of(weights))).isEqualTo(256 * 73 + 256 * 4);
  }

  @Test
  void doesNotWrapAround() {
    TensorInfo large = loose("float32", 1L << 62);

    assertThatThrownBy(() -> Parameters.elements(List.of(large, large)))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> Parameters.bytes(List.of(large)))
        .isInstanceOf(ArithmeticException.class);
  }
}
