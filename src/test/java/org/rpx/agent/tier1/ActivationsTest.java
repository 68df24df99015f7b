package org.rpx.agent.tier1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rpx.agent.tier1.Calls.args;
import static org.rpx.agent.tier1.Calls.call;
import static org.rpx.agent.tier1.Calls.longs;
import static org.rpx.agent.tier1.Calls.loose;
import static org.rpx.agent.tier1.Calls.parameter;
import static org.rpx.agent.tier1.Calls.slice;
import static org.rpx.agent.tier1.Calls.tensor;
import static org.rpx.agent.tier1.Calls.trace;
import static org.rpx.agent.tier1.Calls.typed;
import static org.rpx.agent.tier1.Calls.view;
import static org.rpx.agent.tier1.Calls.weight;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** Peaks are read off by hand: which tensors are alive while each op runs. */
class ActivationsTest {
  private final TensorInfo x = tensor(10);

  /**
   * The head of ResNet-18 and its first block, batch normalisation not folded, ReLU in place: the
   * most is held at the first batch normalisation, its input and its output, 2 x 64·112·112 floats.
   */
  @Test
  void findsThePeakOfAResNet() {
    TensorInfo image = tensor(1, 3, 224, 224);
    TensorInfo conv = tensor(1, 64, 112, 112);
    TensorInfo norm = tensor(1, 64, 112, 112);
    List<OpCall> calls = new ArrayList<>();
    calls.add(call("conv2d", args(image, tensor(64, 3, 7, 7)), conv));
    calls.add(call("batch_norm", args(conv), norm));
    calls.add(call("relu_", args(norm), norm));
    TensorInfo pooled = tensor(1, 64, 56, 56);
    calls.add(call("max_pool2d", args(norm), pooled));
    TensorInfo last = pooled;
    for (int layer = 0; layer < 2; layer++) {
      TensorInfo made = tensor(1, 64, 56, 56);
      TensorInfo normed = tensor(1, 64, 56, 56);
      calls.add(call("conv2d", args(last, tensor(64, 64, 3, 3)), made));
      calls.add(call("batch_norm", args(made), normed));
      if (layer == 1) calls.add(call("add_", args(normed, pooled), normed));
      calls.add(call("relu_", args(normed), normed));
      last = normed;
    }

    ActivationMemory peak = peak(calls, List.of(image), last);

    assertThat(peak.livenessPeakBytes()).isEqualTo(6_422_528);
    assertThat(peak.livenessPeakFp16Bytes()).isEqualTo(6_422_528 / 2);
  }

  /** While an op runs, its input and its output are held: 20 and 30 elements, then 30 and 5. */
  @Test
  void holdsATensorFromTheOpThatMakesItToItsLastUse() {
    TensorInfo a = tensor(20);
    TensorInfo b = tensor(30);
    TensorInfo c = tensor(5);

    assertThat(peak(List.of(op(x, a), op(a, b), op(b, c)), List.of(x), c).livenessPeakBytes())
        .isEqualTo((20 + 30) * 4);
  }

  @Test
  void holdsTheOtherEndOfASkipConnection() {
    TensorInfo a = tensor(10);
    TensorInfo b = tensor(10);
    TensorInfo c = tensor(10);
    TensorInfo d = tensor(10);
    List<OpCall> chain = List.of(op(x, a), op(a, b), op(b, c), op(c, d));
    List<OpCall> skip = List.of(op(x, a), op(a, b), op(b, c), call("add", args(c, a), d));

    assertThat(peak(chain, List.of(x), d).livenessPeakBytes()).isEqualTo(2 * 10 * 4);
    assertThat(peak(skip, List.of(x), d).livenessPeakBytes()).isEqualTo(3 * 10 * 4);
  }

  @Test
  void takesAnInPlaceResultForItsBase() {
    TensorInfo a = tensor(10);

    assertThat(peak(List.of(op(x, a), op(a, a), op(a, a)), List.of(x), a).livenessPeakBytes())
        .isEqualTo(10 * 4);
  }

  /** The view is used while c is made, so that a is held although nothing names it any more. */
  @Test
  void keepsTheBaseOfAView() {
    TensorInfo a = tensor(10);
    TensorInfo viewed = view(a, 0, longs(2, 5), longs(5, 1));
    TensorInfo b = tensor(3);
    TensorInfo c = tensor(10);
    List<OpCall> calls = List.of(op(x, a), op(a, viewed), op(x, b), op(viewed, c));

    assertThat(peak(calls, List.of(x), c).livenessPeakBytes()).isEqualTo((10 + 10) * 4);
    assertThat(peak(calls, List.of(x), c, b).livenessPeakBytes()).isEqualTo((10 + 3 + 10) * 4);
  }

  @Test
  void holdsTheWholeStorageForASlice() {
    TensorInfo a = tensor(10);
    TensorInfo part = slice(a, 8, 2);
    TensorInfo b = tensor(4);

    assertThat(peak(List.of(op(x, a), op(a, part), op(part, b)), List.of(x), b).livenessPeakBytes())
        .isEqualTo((10 + 4) * 4);
  }

  @Test
  void holdsOutputsToTheEnd() {
    TensorInfo a = tensor(10);
    TensorInfo b = tensor(7);
    List<OpCall> calls = List.of(op(x, a), op(x, b));

    assertThat(peak(calls, List.of(x), b).livenessPeakBytes()).isEqualTo(10 * 4);
    assertThat(peak(calls, List.of(x), List.of(a, b)).livenessPeakBytes()).isEqualTo((10 + 7) * 4);
    assertThat(peak(calls, List.of(x), slice(a, 0, 1), b).livenessPeakBytes())
        .isEqualTo((10 + 7) * 4);
  }

  @Test
  void letsGoOfAResultThatNothingUses() {
    TensorInfo unused = tensor(10);
    TensorInfo b = tensor(7);

    assertThat(peak(List.of(op(x, unused), op(x, b)), List.of(x), b).livenessPeakBytes())
        .isEqualTo(10 * 4);
  }

  @Test
  void holdsEachOfAListOfResults() {
    TensorInfo a = tensor(10);
    TensorInfo b = tensor(7);
    TensorInfo c = tensor(3);
    OpCall split = call("unbind_copy", args(x), List.of(a, b));
    OpCall join = call("cat", args(List.of(a, b)), c);

    assertThat(peak(List.of(split, join), List.of(x), c).livenessPeakBytes())
        .isEqualTo((10 + 7 + 3) * 4);
    assertThat(peak(List.of(split), List.of(x), a).livenessPeakBytes()).isEqualTo((10 + 7) * 4);
  }

  @Test
  void takesAListOfViewsForTheirBase() {
    TensorInfo a = tensor(10);
    OpCall split = call("split", args(a), List.of(slice(a, 0, 5), slice(a, 5, 5)));

    assertThat(peak(List.of(op(x, a), split), List.of(x), a).livenessPeakBytes()).isEqualTo(10 * 4);
  }

  @Test
  void leavesOutInputsParametersAndBuffers() {
    TensorInfo w = tensor(100);
    TensorInfo running = tensor(100);
    TensorInfo a = tensor(3);
    List<OpCall> calls =
        List.of(op(x, x), op(w, view(w, 0, longs(10, 10), longs(1, 10))), op(running, running));
    List<Weight> weights = List.of(parameter(w), weight("buffer", running));

    assertThat(Activations.of(trace(calls, List.of(x), x), weights).livenessPeakBytes()).isZero();
    assertThat(
            Activations.of(trace(List.of(op(w, a)), List.of(List.of(x)), List.of(a)), weights)
                .livenessPeakBytes())
        .isEqualTo(3 * 4);
  }

  @Test
  void leavesOutWhatHasNoMemoryToName() {
    TensorInfo sparse = loose("float32", 10);
    TensorInfo a = tensor(3);

    assertThat(peak(List.of(op(x, sparse), op(sparse, a)), List.of(x), a).livenessPeakBytes())
        .isEqualTo(3 * 4);
  }

  /** In bytes the index of 10 int64 weighs most, at 2 bytes an element the 30 truth values do. */
  @Test
  void findsThePeakAtTwoBytesForItself() {
    TensorInfo index = typed("int64", 10);
    TensorInfo mask = typed("bool", 30);

    ActivationMemory peak = peak(List.of(op(x, index), op(x, mask)), List.of(x), mask);

    assertThat(peak.livenessPeakBytes()).isEqualTo(10 * 8);
    assertThat(peak.livenessPeakFp16Bytes()).isEqualTo(30 * 2);
  }

  @Test
  void isZeroWhereNothingRuns() {
    assertThat(peak(List.of(), List.of(x), x))
        .isEqualTo(new ActivationMemory(0L, 0L, 0L, null, null));
  }

  private static OpCall op(TensorInfo from, TensorInfo to) {
    return call("op", args(from), to);
  }

  private static ActivationMemory peak(List<OpCall> calls, List<Object> inputs, Object... outputs) {
    return Activations.of(trace(calls, inputs, outputs), List.of());
  }
}
