package org.rpx.agent;

import java.util.List;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.Weight;

/** Tier 1 of a model, as its plan wants it counted. */
final class Tier1 {
  private Tier1() {}

  /**
   * Counts a trace.
   *
   * @param source names the model in a message
   * @throws IllegalArgumentException where a total passes 2^63 by what the plan asks for
   * @throws NativeException where it does so by the model alone
   */
  static ModelProperties of(String source, OpTrace trace, List<Weight> weights, Plan plan) {
    try {
      return ModelProperties.of(
          trace, weights, plan.registry(), plan.traffic(), plan.elementwise());
    } catch (ArithmeticException e) {
      String what = source + ": " + e.getMessage() + " pass 2^63; ";
      if (!plan.registry().added().isEmpty())
        throw new IllegalArgumentException(
            what + "give smaller inputs, or other rules (--flop-rule)");
      if (!plan.inputs().isEmpty() || plan.batch() != null)
        throw new IllegalArgumentException(what + "give smaller inputs");
      throw new NativeException(NativeException.Code.MODEL_FORMAT, what + "export a smaller model");
    }
  }
}
