package org.rpx.agent.tier1;

import static java.lang.Math.multiplyExact;

import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.TensorInfo;

/**
 * FLOPs of convolutions, any number of spatial dimensions, batched or not. A weight's shape already
 * holds channels / groups, so that every position costs 2 x all its elements; padded taps count.
 */
final class Convolutions {
  private Convolutions() {}

  /**
   * Positions are those of the output: 2 · N · output spatial · weight elements; weight (out,
   * in/groups, taps…).
   */
  static long forward(TensorInfo output, TensorInfo weight) {
    return positions(output, weight.size(0), weight);
  }

  /**
   * Positions are those of the input: 2 · N · input spatial · weight elements; weight (in,
   * out/groups, taps…).
   */
  static long transposed(TensorInfo input, TensorInfo weight) {
    return positions(input, weight.size(0), weight);
  }

  /** convolution(input, weight, bias, stride, padding, dilation, transposed, …). */
  static long either(OpCall call) {
    return call.bool(6)
        ? transposed(call.tensor(0), call.tensor(1))
        : forward(call.result(0), call.tensor(1));
  }

  /** conv_tbc: (time, batch, channels) with a weight (taps, in, out). */
  static long timeBatchChannel(OpCall call) {
    return positions(call.result(0), call.tensor(1).size(2), call.tensor(1));
  }

  private static long positions(TensorInfo map, long channels, TensorInfo weight) {
    if (channels == 0) return 0;
    return Products.twice(multiplyExact(map.elements() / channels, weight.elements()));
  }
}
