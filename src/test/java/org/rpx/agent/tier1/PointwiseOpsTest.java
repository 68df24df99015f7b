package org.rpx.agent.tier1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rpx.agent.tier1.Calls.args;
import static org.rpx.agent.tier1.Calls.call;
import static org.rpx.agent.tier1.Calls.tensor;
import static org.rpx.agent.tier1.Calls.trace;
import static org.rpx.agent.tier1.Calls.typed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rpx.agent.tier1.PointwiseOps.Kind;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.TensorInfo;

class PointwiseOpsTest {
  private final TensorInfo x = tensor(10);

  @Test
  void allAreFreeOps() {
    assertThat(PointwiseOps.all().keySet())
        .allSatisfy(
            name -> {
              OpCall call = call(name.replaceAll("\\..*", ""), args());
              assertThat(FlopRegistry.standard().flops(call)).isZero();
            });
  }

  @Test
  void noneIsListedTwice() throws IOException {
    Path file = Path.of("src/main/resources/org/rpx/agent/tier1/pointwise-ops.txt");
    long words =
        Files.readAllLines(file).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith("["))
            .mapToLong(line -> line.split(" +").length)
            .sum();

    assertThat(PointwiseOps.all()).hasSize((int) words);
  }

  @Test
  void knowsInPlaceFormsAndSingleOverloads() {
    assertThat(PointwiseOps.kind(call("relu_", args(x), x))).isEqualTo(Kind.ARITHMETIC);
    assertThat(PointwiseOps.kind(call("_to_copy", args(x), x))).isEqualTo(Kind.COPIES);
    assertThat(PointwiseOps.kind(call("layer_norm", args(x), x))).isEqualTo(Kind.NORMALISATIONS);
    assertThat(PointwiseOps.kind(call("max", "other", args(x, x), x))).isEqualTo(Kind.ARITHMETIC);
    assertThat(PointwiseOps.kind(call("max", "dim", args(x, 0), x))).isNull();
    assertThat(PointwiseOps.kind(call("where", args(x), x))).isNull();
    assertThat(PointwiseOps.kind(call("softmax", args(x), x))).isNull();
    assertThat(PointwiseOps.kind(call("my::relu", args(x), x))).isNull();
  }

  @Test
  void eachElementOfAResultIsAnOperation() {
    OpCall broadcast = call("add", args(tensor(4, 1), tensor(1, 5)), tensor(4, 5));
    OpCall inPlace = call("relu_", args(x), x);
    OpCall scalar = call("mul", args(tensor(), 2), tensor());

    assertThat(Elementwise.operations(trace(List.of(broadcast), List.of()))).isEqualTo(20);
    assertThat(Elementwise.operations(trace(List.of(broadcast, inPlace, scalar), List.of())))
        .isEqualTo(20 + 10 + 1);
  }

  @Test
  void copiesNormalisationsAndIdentitiesAreNone() {
    List<OpCall> calls =
        List.of(
            call("dropout", args(x, 0.5, false), x),
            call("to", args(x), typed("float16", 10)),
            call("clone", args(x), tensor(10)),
            call("zeros", args(), tensor(10)),
            call("layer_norm", args(x), tensor(10)),
            call("mm", args(x, x), tensor(10)));

    assertThat(Elementwise.operations(trace(calls, List.of(x)))).isZero();
  }
}
