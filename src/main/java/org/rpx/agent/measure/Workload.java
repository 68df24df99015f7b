package org.rpx.agent.measure;

import java.time.Duration;

/**
 * Something that can be run again and again and timed: a model, or what else a program has. Whoever
 * measures calls from one thread at a time. What an implementation throws ends the measurement.
 */
public interface Workload {
  /**
   * Widths of the operator pool and the BLAS pool for what follows; 0 leaves a pool as it is. One
   * without pools does nothing.
   */
  void threads(int operators, int blas);

  /**
   * Runs it up to {@code n} times, at least once, and not again after {@code limit}.
   *
   * @return what was timed, in nanoseconds, starts counted from the first
   */
  Samples time(int n, Duration limit);
}
