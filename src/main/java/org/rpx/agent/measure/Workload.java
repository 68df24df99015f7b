package org.rpx.agent.measure;

import java.time.Duration;

/** Something that can be run again and again and timed. */
public interface Workload {
  /** Widths of the operator pool and the BLAS pool for what follows. */
  void threads(int operators, int blas);

  /**
   * Runs it up to {@code n} times, at least once, and not again after {@code limit}. Returns what
   * was timed.
   */
  Samples time(int n, Duration limit);
}
