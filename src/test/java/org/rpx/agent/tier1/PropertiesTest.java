package org.rpx.agent.tier1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.rpx.agent.tier1.Calls.args;
import static org.rpx.agent.tier1.Calls.call;
import static org.rpx.agent.tier1.Calls.frozen;
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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** Totals are worked out by hand from the definitions in docs/method.md. */
class PropertiesTest {
  private final TensorInfo x = tensor(20, 1000);
  private final TensorInfo w = tensor(1000, 1000);
  private final TensorInfo bias = tensor(1000);
  private final TensorInfo y = tensor(20, 1000);
  private final OpCall linear = call("linear", args(x, w, bias), y);
  private final OpCall relu = call("relu_", args(y), y);

  /**
   * One Linear(1000, 1000) shared by two calls on 20 rows: 40,000,000 MACs, 1,001,000 parameters.
   */
  @Test
  void countsASharedLayerTwiceAndItsWeightsOnce() {
    ModelProperties found =
        of(
            trace(List.of(linear, linear), List.of(x), y),
            parameter(w),
            parameter(bias),
            parameter(w),
            parameter(bias));

    assertThat(found.macs()).isEqualTo(40_000_000);
    assertThat(found.flops()).isEqualTo(80_000_000);
    assertThat(found.flopsByOp()).containsExactly(entry("aten::linear", 80_000_000L));
    assertThat(found.params()).isEqualTo(1_001_000);
    assertThat(found.trainableParams()).isEqualTo(1_001_000);
    assertThat(found.flopsComplete()).isTrue();
    assertThat(found.uncountedOps()).isEmpty();
  }

  @Test
  void listsCountedOpsLargestFirstAndNoFreeOnes() {
    OpCall small = call("mm", args(tensor(2, 3), tensor(3, 4)), tensor(2, 4));
    OpCall outer = call("einsum", args("i,j->ij", List.of(tensor(3), tensor(4))), tensor(3, 4));

    ModelProperties found = of(trace(List.of(small, relu, outer, linear, small), List.of(x), y));

    assertThat(found.flopsByOp())
        .containsExactly(
            entry("aten::linear", 2L * 20 * 1000 * 1000), entry("aten::mm", 2L * 2 * 2 * 3 * 4));
    assertThat(found.flops()).isEqualTo(40_000_000 + 96);
    assertThat(found.flopsComplete()).isTrue();
  }

  @Test
  void listsUnknownOpsWithTheirCallsAndSaysThatTheTotalIsALowerBound() {
    OpCall mine = call("my::op", args(x), y);
    OpCall nms = call("torchvision::nms", args(x), y);
    OpCall complex = call("linear", args(typed("complex64", 2, 3), typed("complex64", 4, 3)), y);

    ModelProperties found = of(trace(List.of(nms, mine, linear, mine, complex), List.of(x), y));

    assertThat(found.flops()).isEqualTo(40_000_000);
    assertThat(found.flopsComplete()).isFalse();
    assertThat(found.uncountedOps())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "my::op", new ModelProperties.Uncounted(2, 2L * 2 * 20_000 * 4),
                "torchvision::nms", new ModelProperties.Uncounted(1, 2L * 20_000 * 4),
                "aten::linear", new ModelProperties.Uncounted(1, (6L + 12) * 8 + 20_000 * 4)));
    assertThat(found.uncountedOps().keySet()).first().isEqualTo("my::op");
  }

  @Test
  void asksTheRegistryThatItIsGiven() {
    FlopRegistry more = FlopRegistry.standard().with("my::op", c -> 7);
    OpTrace trace = trace(List.of(call("my::op", args(x), y)), List.of(x), y);

    assertThat(Properties.of(trace, List.of(), more, TrafficModel.COMPULSORY, false).flops())
        .isEqualTo(7);
  }

  @Test
  void tellsTrainableFrozenAndBuffersApart() {
    ModelProperties found =
        of(
            trace(List.of(), List.of(x), y),
            parameter(tensor(10)),
            frozen(tensor(20)),
            weight("constant", tensor(50)),
            weight("buffer", tensor(3)),
            weight("buffer", typed("int64")));

    assertThat(found.params()).isEqualTo(30);
    assertThat(found.trainableParams()).isEqualTo(10);
    assertThat(found.buffers()).isEqualTo(4);
  }

  @Test
  void countsATiedBufferOnce() {
    Weight running = weight("buffer", tensor(64));

    assertThat(of(trace(List.of(), List.of(x), y), running, running).buffers()).isEqualTo(64);
  }

  @Test
  void findsTheParametersOfAFrozenGraphAndOfAQuantisedOne() {
    OpTrace trace = trace(List.of(), List.of(x), y);

    ModelProperties frozen =
        of(trace, weight("constant", tensor(50)), weight("constant", typed("int64", 7)));
    assertThat(frozen.params()).isEqualTo(50);
    assertThat(frozen.trainableParams()).isZero();
    assertThat(frozen.precision()).isEqualTo("fp32");

    ModelProperties quantised =
        of(trace, weight("packed", loose("qint8", 256, 73)), weight("packed", tensor(256)));
    assertThat(quantised.params()).isEqualTo(256 * 73 + 256);
    assertThat(quantised.precision()).isEqualTo("int8");
    assertThat(quantised.traffic().compulsoryBytes())
        .isEqualTo(256 * 73 + 256 * 4 + (20_000 + 20_000) * 4);
  }

  /** 11,689,512 parameters, 3·224·224 of an image and 1000 scores, in float32. */
  @Test
  void addsParametersInputsAndOutputsToCompulsoryBytes() {
    ModelProperties resnet =
        of(
            trace(List.of(), List.of(tensor(1, 3, 224, 224)), tensor(1, 1000)),
            parameter(tensor(11_689_512)),
            weight("buffer", tensor(9_600)));

    assertThat(resnet.traffic().compulsoryBytes()).isEqualTo(46_758_048 + 602_112 + 4_000);
    assertThat(resnet.traffic().compulsoryBytes()).isEqualTo(47_364_160);
  }

  /** An fp16 Linear(4096, 4096) without bias on one row. */
  @Test
  void countsBytesByDtype() {
    TensorInfo row = typed("float16", 1, 4096);
    TensorInfo result = typed("float16", 1, 4096);
    TensorInfo matrix = typed("float16", 4096, 4096);

    ModelProperties found =
        of(
            trace(List.of(call("linear", args(row, matrix, null), result)), List.of(row), result),
            parameter(matrix));

    assertThat(found.traffic().compulsoryBytes()).isEqualTo(33_570_816);
    assertThat(found.arithmeticIntensity()).isEqualTo(2.0 * 4096 * 4096 / 33_570_816);
    assertThat(found.precision()).isEqualTo("fp16");
  }

  @Test
  void countsTokensAtTheirEightBytes() {
    assertThat(
            of(trace(List.of(), List.of(typed("int64", 2, 5)), tensor(3)))
                .traffic()
                .compulsoryBytes())
        .isEqualTo(2 * 5 * 8 + 3 * 4);
  }

  @Test
  void countsAnInputThatIsAlsoAnOutputOnce() {
    OpTrace same = trace(List.of(), List.of(x), x);
    OpTrace viewed = trace(List.of(), List.of(x), view(x, 0, longs(1000, 20), longs(1, 1000)));
    OpTrace part = trace(List.of(), List.of(x), slice(x, 100, 50));

    assertThat(of(same).traffic().compulsoryBytes()).isEqualTo(20_000 * 4);
    assertThat(of(viewed).traffic().compulsoryBytes()).isEqualTo(20_000 * 4);
    assertThat(of(part).traffic().compulsoryBytes()).isEqualTo(20_000 * 4);
  }

  @Test
  void countsAParameterThatIsAlsoAnOutputOnce() {
    assertThat(of(trace(List.of(), List.of(x), bias), parameter(bias)).traffic().compulsoryBytes())
        .isEqualTo((20_000 + 1000) * 4);
  }

  @Test
  void looksIntoNestedInputsAndOutputs() {
    List<Object> pair = List.of(tensor(10), List.of(tensor(20)));
    OpTrace trace = trace(List.of(), args(pair, null, 3, "text"), List.of(tensor(5), tensor(7)));

    assertThat(of(trace).traffic().compulsoryBytes()).isEqualTo((10 + 20 + 5 + 7) * 4);
  }

  @Test
  void takesTheActivationPeakAlong() {
    ModelProperties found =
        of(trace(List.of(linear, relu), List.of(x), y), parameter(w), parameter(bias));

    assertThat(found.activations().livenessPeakBytes()).isEqualTo(20_000 * 4);
    assertThat(found.activations().livenessPeakFp16Bytes()).isEqualTo(20_000 * 2);
  }

  /**
   * Linear(1024) a hundred times on (10240, 1024), each followed by a ReLU in place: never more
   * than two results of 41,943,040 bytes.
   */
  @Test
  void countsALoop() {
    TensorInfo matrix = tensor(1024, 1024);
    TensorInfo input = tensor(10240, 1024);
    TensorInfo last = input;
    List<OpCall> calls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      TensorInfo next = tensor(10240, 1024);
      calls.add(call("linear", args(last, matrix, null), next));
      calls.add(call("relu_", args(next), next));
      last = next;
    }

    ModelProperties found = of(trace(calls, List.of(input), last), parameter(matrix));

    assertThat(found.macs()).isEqualTo(1_073_741_824_000L);
    assertThat(found.activations().livenessPeakBytes()).isEqualTo(2 * 41_943_040);
  }

  @Test
  void countsTheSameTheSecondTime() {
    OpTrace trace = trace(List.of(linear, relu), List.of(x), y);

    assertThat(of(trace, parameter(w))).isEqualTo(of(trace, parameter(w)));
  }

  @Test
  void hasNothingToReckonInAnEmptyTrace() {
    ModelProperties nothing = of(trace(List.of(), List.of()));

    assertThat(nothing.flops()).isZero();
    assertThat(nothing.flopsComplete()).isTrue();
    assertThat(nothing.traffic().compulsoryBytes()).isZero();
    assertThat(nothing.arithmeticIntensity()).isNull();
    assertThat(nothing.precision()).isNull();
  }

  @Test
  void refusesATotalThatDoesNotFitIntoALong() {
    TensorInfo large = loose("float32", 1L << 30, 2);
    OpCall mm = call("mm", args(large, loose("float32", 2, 1L << 30)), tensor());
    OpCall bmm = call("bmm", args(large, loose("float32", 2, 1L << 30)), tensor());

    assertThatThrownBy(() -> of(trace(Collections.nCopies(2, mm), List.of())))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> of(trace(List.of(mm, bmm), List.of())))
        .isInstanceOf(ArithmeticException.class);
  }

  private static ModelProperties of(OpTrace trace, Weight... weights) {
    return Properties.of(
        trace, List.of(weights), FlopRegistry.standard(), TrafficModel.COMPULSORY, false);
  }
}
