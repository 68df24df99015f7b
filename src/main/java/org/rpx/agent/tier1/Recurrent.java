package org.rpx.agent.tier1;

import static java.lang.Math.multiplyExact;

import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.TensorInfo;

/**
 * FLOPs of recurrent layers: each step of each sequence goes once through every weight matrix of
 * every layer and direction, projections included; gates cost nothing.
 */
final class Recurrent {
  private Recurrent() {}

  /**
   * lstm, gru, rnn over a whole sequence, padded (time x batch rows) or packed (rows are those that
   * exist).
   */
  static long layers(OpCall call, int weightsAt) {
    long matrices = 0;
    for (TensorInfo weight : call.tensors(weightsAt)) {
      if (weight.rank() == 2) matrices = Math.addExact(matrices, weight.elements());
    }
    if (matrices == 0) throw new IllegalArgumentException("no weight matrices");
    return Products.twice(multiplyExact(rows(call.tensor(0)), matrices));
  }

  /** One step: cell(input, state, w_ih, w_hh, …). */
  static long cell(OpCall call) {
    long matrices = Math.addExact(call.tensor(2).elements(), call.tensor(3).elements());
    return Products.twice(multiplyExact(rows(call.tensor(0)), matrices));
  }

  private static long rows(TensorInfo input) {
    return input.size(-1) == 0 ? 0 : input.elements() / input.size(-1);
  }
}
