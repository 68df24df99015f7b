package org.rpx.agent.tier1;

import org.rpx.agent.trace.OpCall;

/** How many floating-point operations one call of an op is: 2 per multiply-accumulate. */
@FunctionalInterface
public interface FlopRule {
  /**
   * Counts one call from its shapes.
   *
   * @throws RuntimeException where it cannot tell; the call is then unknown, and counting goes on
   */
  long flops(OpCall call);
}
