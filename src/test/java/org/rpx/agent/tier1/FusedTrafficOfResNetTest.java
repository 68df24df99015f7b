package org.rpx.agent.tier1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rpx.agent.tier1.Calls.args;
import static org.rpx.agent.tier1.Calls.call;
import static org.rpx.agent.tier1.Calls.longs;
import static org.rpx.agent.tier1.Calls.tensor;
import static org.rpx.agent.tier1.Calls.trace;
import static org.rpx.agent.tier1.Calls.view;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;

/**
 * Totals reckoned layer by layer, in fp32, normalisation not folded into weights, ReLU in place.
 */
class FusedTrafficOfResNetTest {
  private final List<OpCall> calls = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({"1, 72595008", "32, 872350368"})
  void resNet18AsItRuns(long batch, long bytes) {
    Path model = Path.of("src/main/resources/org/rpx/agent/demo/resnet18.pt");
    try (NativeSession session = new NativeSession(model, "cpu")) {
      session.inputs(List.of(InputSpec.tensor("float32", batch, 3, 224, 224)), 0);

      assertThat(Traffic.fused(session.trace())).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "18, 1, 72595008, 116950592",
    "18, 32, 872350368, 2291729056",
    "50, 1, 216059456, 425995840",
    "50, 32, 3738243744, 10456208032"
  })
  void resNetsByTheirLayers(int depth, long batch, long fused, long unfused) {
    TensorInfo image = tensor(batch, 3, 224, 224);
    TensorInfo x = relu(convolution(image, 64, 7, 2));
    x = made("max_pool2d", x, tensor(batch, 64, 56, 56));
    int[] blocks = depth == 18 ? new int[] {2, 2, 2, 2} : new int[] {3, 4, 6, 3};
    for (int stage = 0; stage < 4; stage++) {
      for (int i = 0; i < blocks[stage]; i++) {
        x = block(x, 64L << stage, depth == 18 ? 1 : 4, stage > 0 && i == 0 ? 2 : 1);
      }
    }
    long width = x.size(1);
    TensorInfo mean = made("adaptive_avg_pool2d", x, tensor(batch, width, 1, 1));
    TensorInfo flat = view(mean, 0, longs(batch, width), longs(width, 1));
    calls.add(call("flatten", args(mean, 1), flat));
    TensorInfo classes = tensor(batch, 1000);
    calls.add(call("linear", args(flat, tensor(1000, width), tensor(1000)), classes));
    OpTrace trace = trace(calls, List.of(image), classes);

    assertThat(Traffic.fused(trace)).isEqualTo(fused);
    assertThat(Traffic.unfused(trace)).isEqualTo(unfused);
  }

  /** Two 3x3 convolutions, or 1x1, 3x3, 1x1 that widens by 4; a projection where shapes change. */
  private TensorInfo block(TensorInfo x, long width, long widening, long stride) {
    TensorInfo y;
    if (widening == 1) {
      y = convolution(relu(convolution(x, width, 3, stride)), width, 3, 1);
    } else {
      TensorInfo inner = relu(convolution(relu(convolution(x, width, 1, 1)), width, 3, stride));
      y = convolution(inner, width * widening, 1, 1);
    }
    TensorInfo shortcut = x;
    if (!x.sizes().equals(y.sizes())) shortcut = convolution(x, width * widening, 1, stride);
    calls.add(call("add_", args(y, shortcut, 1), y));
    return relu(y);
  }

  /** With its batch normalisation. */
  private TensorInfo convolution(TensorInfo x, long channels, long kernel, long stride) {
    long side = (x.size(2) - 1) / stride + 1;
    TensorInfo weight = tensor(channels, x.size(1), kernel, kernel);
    TensorInfo y = tensor(x.size(0), channels, side, side);
    calls.add(call("conv2d", args(x, weight, null), y));
    TensorInfo z = tensor(x.size(0), channels, side, side);
    TensorInfo[] vectors = {tensor(channels), tensor(channels), tensor(channels), tensor(channels)};
    calls.add(call("batch_norm", args(y, vectors[0], vectors[1], vectors[2], vectors[3]), z));
    return z;
  }

  private TensorInfo relu(TensorInfo x) {
    return made("relu_", x, x);
  }

  private TensorInfo made(String op, TensorInfo x, TensorInfo result) {
    calls.add(call(op, args(x), result));
    return result;
  }
}
