package org.rpx.agent.measure;

import java.time.Duration;

/**
 * When paced runs are released, and how many: on an absolute schedule, the i-th {@code i} periods
 * after the first.
 *
 * @param hz releases a second
 * @param most runs at most
 * @param duration no run is released later than this after the first; null without a limit
 */
public record Schedule(double hz, int most, Duration duration) {
  /** The default of {@code --duration}: at 30 Hz enough runs for a 99th percentile. */
  public static final Duration DURATION = Duration.ofSeconds(10);

  /**
   * Checks all three.
   *
   * @throws IllegalArgumentException where the rate is no schedule, or a limit is out of range
   */
  public Schedule {
    Pace.periodNs(hz);
    new StoppingRule(1, most, duration, null);
  }

  /**
   * The schedule for what is asked for; what is not, is null. One that is asked for replaces the
   * default of the other.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public static Schedule of(double hz, Integer iterations, Duration duration) {
    boolean neither = iterations == null && duration == null;
    int most = neither ? StoppingRule.ITERATIONS : StoppingRule.MOST;
    return new Schedule(hz, iterations == null ? most : iterations, neither ? DURATION : duration);
  }

  /** Releases until one of the limits, at least one. */
  public int runs() {
    if (duration == null) return most;
    long period = Pace.periodNs(hz);
    long within = duration.toNanos() / period + (duration.toNanos() % period == 0 ? 0 : 1);
    return (int) Math.min(most, Math.max(1, within));
  }

  /** About how long it takes where the runs keep up, in nanoseconds. */
  public double takesNs() {
    return (double) runs() * Pace.periodNs(hz);
  }

  /**
   * All runs and what ended them.
   *
   * @param latencies from each run's intended release, with that as its start
   * @param serviceNs from each run's start to its end
   */
  public record Result(Samples latencies, long[] serviceNs, StoppingRule.StoppedBy stoppedBy) {}

  /**
   * Runs a workload that releases its runs by this schedule, in one call: between two there would
   * be a gap that is not in the schedule.
   */
  public Result run(Workload workload) {
    Duration most = duration == null ? Duration.ofNanos(Long.MAX_VALUE) : duration;
    Samples ran = workload.time(runs(), most);
    long period = Pace.periodNs(hz);
    int n = ran.count();
    long[] intended = new long[n];
    long[] start = new long[n];
    long[] end = new long[n];
    for (int i = 0; i < n; i++) {
      intended[i] = i * period;
      start[i] = ran.startNs(i);
      end[i] = start[i] + ran.durationNs(i);
    }
    return new Result(
        PacedRuns.of(period, intended, start, end).latencies(),
        ran.durationsNs(),
        n >= this.most ? StoppingRule.StoppedBy.ITERATIONS : StoppingRule.StoppedBy.DURATION);
  }
}
