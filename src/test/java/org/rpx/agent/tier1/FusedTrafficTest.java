package org.rpx.agent.tier1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rpx.agent.tier1.Calls.args;
import static org.rpx.agent.tier1.Calls.call;
import static org.rpx.agent.tier1.Calls.longs;
import static org.rpx.agent.tier1.Calls.loose;
import static org.rpx.agent.tier1.Calls.slice;
import static org.rpx.agent.tier1.Calls.tensor;
import static org.rpx.agent.tier1.Calls.trace;
import static org.rpx.agent.tier1.Calls.typed;
import static org.rpx.agent.tier1.Calls.view;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.TensorInfo;

/**
 * Sums by hand, in floats of 4 bytes: x is 10 of them, a weight w 30, and each product of both
 * makes 10 again, so that a product alone is 10 + 30 + 10 = 50.
 */
class FusedTrafficTest {
  private final TensorInfo x = tensor(10);
  private final TensorInfo w = tensor(30);
  private final TensorInfo a = tensor(10);
  private final TensorInfo b = tensor(10);
  private final TensorInfo c = tensor(10);
  private final TensorInfo d = tensor(10);
  private final List<OpCall> calls = new ArrayList<>();

  /** Ops run in this order, their last operand the result. */
  private FusedTrafficTest op(String name, Object... operands) {
    List<Object> all = Arrays.asList(operands);
    int last = all.size() - 1;
    calls.add(call(name, args(all.subList(0, last).toArray()), all.get(last)));
    return this;
  }

  private long floats(Object... outputs) {
    long bytes = Traffic.fused(trace(calls, List.of(x), outputs));
    assertThat(bytes % 4).isZero();
    return bytes / 4;
  }

  @Test
  void aChainIsPartOfTheProductBeforeIt() {
    op("conv2d", x, w, a).op("batch_norm", a, tensor(2), tensor(2), tensor(2), tensor(2), b);
    op("relu_", b, b).op("mul", b, 2, c);

    // x, w and the four vectors of the normalisation in, the last result out.
    assertThat(floats(c)).isEqualTo(10 + 30 + 8 + 10);
  }

  @Test
  void anotherOperandIsReadOnce() {
    TensorInfo residual = tensor(10);
    op("linear", x, w, a).op("add_", a, residual, a).op("mul", a, residual, b);

    assertThat(floats(b)).isEqualTo(50 + 10);
  }

  @Test
  void whatOthersReadIsWrittenOnceAndReadByEach() {
    op("mm", x, w, a).op("relu", a, b).op("mm", b, w, c).op("mm", b, w, d);

    assertThat(floats(c, d)).isEqualTo(50 + 2 * 50);
  }

  /** The sum belongs to the second product, which has to wait for the first one's result. */
  @Test
  void aSumJoinsTheLaterOfTwoProducts() {
    op("mm", x, w, a).op("mm", a, w, b).op("add", a, b, c).op("relu", c, d);

    // a is an operand of the product and of the sum, and both are one kernel.
    assertThat(floats(d)).isEqualTo(50 + 50);
  }

  @Test
  void twoIndependentBranchesMeet() {
    op("mm", x, w, a).op("silu", a, b).op("mm", x, w, c).op("mul", b, c, d);

    assertThat(floats(d)).isEqualTo(50 + 50 + 10);
  }

  @Test
  void aChainFromAnInputIsAKernelOfItsOwn() {
    op("sub", x, tensor(1), a).op("div", a, tensor(1), b).op("mm", b, w, c);

    assertThat(floats(c)).isEqualTo(10 + 2 + 10 + 50);
  }

  @Test
  void otherOpsStandAloneAndTakeAChainToo() {
    TensorInfo pooled = tensor(5);
    TensorInfo last = tensor(5);
    op("mm", x, w, a).op("max_pool2d", a, pooled).op("relu", pooled, last);

    assertThat(floats(last)).isEqualTo(50 + 10 + 5);
  }

  @Test
  void aChainGoesThroughViews() {
    TensorInfo square = view(a, 0, longs(2, 5), longs(5, 1));
    TensorInfo turned = view(a, 0, longs(5, 2), longs(1, 5));
    op("mm", x, w, a).op("view", a, square).op("t", square, turned).op("gelu", turned, b);

    assertThat(floats(b)).isEqualTo(50);
  }

  /** Halves of one result, one gates the other: the gate needs both, so both are in memory. */
  @Test
  void aSliceDoesNotFold() {
    TensorInfo gate = tensor(5);
    TensorInfo gated = tensor(5);
    op("mm", x, w, a).op("sigmoid", slice(a, 0, 5), gate).op("mul", gate, slice(a, 5, 5), gated);

    assertThat(floats(gated)).isEqualTo(50 + 10 + 5);
  }

  /** Squeeze and excitation: the scale waits for all of what it scales. */
  @Test
  void aScaleThatComesLaterMakesAKernelOfItsOwn() {
    TensorInfo mean = tensor(1);
    TensorInfo scale = tensor(1);
    op("mm", x, w, a).op("relu", a, b).op("mean", b, mean).op("sigmoid", mean, scale);
    op("mul", b, scale, c);

    assertThat(floats(c)).isEqualTo(50 + (10 + 1) + (10 + 1 + 10));
  }

  /** It is made after the product in the program, but does not wait for it. */
  @Test
  void aConstantMadeOnTheWayIsNoHindrance() {
    TensorInfo least = tensor(1);
    op("mm", x, w, a).op("mm", a, w, b).op("full", 0, least);
    calls.add(call("where", "self", args(typed("int32", 10), b, least), c));

    // 1 is made and read; the mask, 10 elements, is read.
    assertThat(floats(c)).isEqualTo(50 + 50 + 1 + 1 + 10);
  }

  @Test
  void anInPlaceOpLeavesTheOldValueToThoseWhoReadIt() {
    op("mm", x, w, a).op("mm", a, w, b).op("relu_", a, a).op("mm", a, w, c);

    // a is written before and after the relu, and each is read by one product.
    assertThat(floats(b, c)).isEqualTo(50 + 10 + 50 + 50);
  }

  @Test
  void aPartChangedInPlaceGoesThroughMemory() {
    op("mm", x, w, a).op("sigmoid_", slice(a, 0, 4), slice(a, 0, 4)).op("relu", a, b);

    assertThat(floats(b)).isEqualTo(50 + (4 + 4) + (10 + 10));
  }

  @Test
  void aPartThatIsCopiedIntoAnotherTensorIsAllThatIsWritten() {
    TensorInfo cache = tensor(100);
    op("mm", x, w, a).op("add", a, 1, b).op("copy_", slice(cache, 20, 10), b, slice(cache, 20, 10));
    op("mm", cache, w, c);

    // The copy is part of the product: 10 of the cache are read, as an in-place op does, and
    // written.
    assertThat(floats(c)).isEqualTo((10 + 30 + 10 + 10) + (100 + 30 + 10));
  }

  @Test
  void aCastFoldsAndItsBytesAreWritten() {
    TensorInfo half = typed("float16", 10);
    op("mm", x, w, a).op("to", a, half);

    assertThat(Traffic.fused(trace(calls, List.of(x), half))).isEqualTo(4 * (10 + 30) + 2 * 10);
  }

  @Test
  void aCopyIntoAnotherLayoutDoesNotFold() {
    TensorInfo square = tensor(2, 5);
    TensorInfo turned = view(square, 0, longs(5, 2), longs(1, 5));
    op("mm", x, w, square).op("clone", turned, tensor(5, 2));
    assertThat(floats(calls.get(1).results().get(0))).isEqualTo(50 + 20);

    calls.clear();
    op("mm", x, w, square).op("clone", square, tensor(2, 5));
    assertThat(floats(calls.get(1).results().get(0))).isEqualTo(50);
  }

  @Test
  void aBroadcastOperandIsNotAResultElementForElement() {
    TensorInfo row = tensor(1, 5);
    op("mm", x, w, row).op("add", row, tensor(4, 1), tensor(4, 5));

    assertThat(floats(calls.get(1).results().get(0))).isEqualTo((10 + 30 + 5) + (5 + 4 + 20));
  }

  @Test
  void aLookupReadsItsRowsAndTakesAChain() {
    op("embedding", tensor(100, 5), typed("int32", 2), tensor(2, 5));
    Object rows = calls.get(0).results().get(0);
    op("add", rows, tensor(2, 5), a);

    assertThat(floats(a)).isEqualTo(10 + 2 + 10 + 10);
  }

  @Test
  void resultsThatNobodyReadsAreWrittenAndSecondOnesToo() {
    TensorInfo states = tensor(3);
    calls.add(call("lstm", args(x, List.of(w)), a, states));

    assertThat(floats(a)).isEqualTo(50 + 3);
  }

  @Test
  void anOutputInTheMiddleOfAChainIsWritten() {
    op("mm", x, w, a).op("relu", a, b);

    assertThat(floats(a, b)).isEqualTo(50 + 10);
    assertThat(floats(List.of(b))).isEqualTo(50);
  }

  @Test
  void tensorsWithoutMemoryToNameAreReadAndWrittenEachTime() {
    TensorInfo packed = loose("float32", 30);
    TensorInfo sparse = loose("float32", 10);
    op("linear", x, packed, sparse).op("relu", sparse, a);

    assertThat(floats(a)).isEqualTo(50 + 20);
  }

  /** fp16, 32 heads of 2048 x 128: one pass over Q, K, V and O, and four over the scores. */
  @Test
  void attentionWrittenOutPassesFourTimesOverItsScores() {
    TensorInfo q = typed("float16", 32, 2048, 128);
    TensorInfo k = typed("float16", 32, 2048, 128);
    TensorInfo v = typed("float16", 32, 2048, 128);
    TensorInfo o = typed("float16", 32, 2048, 128);
    TensorInfo scores = typed("float16", 32, 2048, 2048);
    TensorInfo weights = typed("float16", 32, 2048, 2048);
    op("bmm", q, view(k, 0, longs(32, 128, 2048), longs(262144, 1, 128)), scores);
    op("mul_", scores, 0.088, scores).op("softmax", scores, weights).op("bmm", weights, v, o);
    assertThat(Traffic.fused(trace(calls, List.of(q, k, v), o))).isEqualTo(1_140_850_688);

    calls.clear();
    op("scaled_dot_product_attention", q, k, v, o);
    assertThat(Traffic.fused(trace(calls, List.of(q, k, v), o))).isEqualTo(67_108_864);
  }
}
