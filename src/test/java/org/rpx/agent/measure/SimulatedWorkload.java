package org.rpx.agent.measure;

import java.time.Duration;
import java.util.function.LongToDoubleFunction;

/** Takes the time it is told to, on a clock of its own. */
class SimulatedWorkload implements Workload {
  private final LongToDoubleFunction nsOfRun;
  long runs;
  int calls;

  /** {@code nsOfRun} of the first run (0), the second, ... */
  SimulatedWorkload(LongToDoubleFunction nsOfRun) {
    this.nsOfRun = nsOfRun;
  }

  static SimulatedWorkload of(double[] ns) {
    return new SimulatedWorkload(i -> ns[(int) (i % ns.length)]);
  }

  @Override
  public void threads(int operators, int blas) {}

  @Override
  public Samples time(int n, Duration limit) {
    calls++;
    long[] starts = new long[n];
    long[] ns = new long[n];
    long at = 0;
    int done = 0;
    while (done == 0 || (done < n && at < limit.toNanos())) {
      starts[done] = at;
      ns[done] = Math.round(nsOfRun.applyAsDouble(runs++));
      at += ns[done++];
    }
    return new Samples(starts, ns, done);
  }
}
