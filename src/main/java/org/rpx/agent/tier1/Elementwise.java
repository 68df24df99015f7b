package org.rpx.agent.tier1;

import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;

/** Elementwise work, beside the FLOPs of products. */
final class Elementwise {
  private Elementwise() {}

  /**
   * One operation per element of the result of each pointwise arithmetic op: (4,1) + (1,5) is 20.
   * Copies, casts, normalisations, views and what gives its input back (dropout in evaluation) are
   * none.
   *
   * @throws ArithmeticException where the total does not fit into 2^63
   */
  static long operations(OpTrace trace) {
    long total = 0;
    for (OpCall call : trace.calls()) {
      if (PointwiseOps.kind(call) != PointwiseOps.Kind.ARITHMETIC || Traffic.view(call)) continue;
      for (TensorInfo t : OpTrace.tensors(call.results()))
        total = Math.addExact(total, t.elements());
    }
    return total;
  }
}
