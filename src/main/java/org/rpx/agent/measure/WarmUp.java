package org.rpx.agent.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Runs a workload until its times no longer change.
 *
 * <p>Windows of at least {@link #WINDOW_RUNS} runs and a quarter of the least time are run until
 * the least number of runs and the least time are behind, and the last {@link #WINDOWS} windows
 * agree: their medians differ by at most {@link #TOLERANCE}, or by no more than three medians of
 * such noisy runs would. The caps end it in any case.
 *
 * @param leastRuns runs at least
 * @param leastTime time at least
 * @param mostRuns cap on the runs
 * @param mostTime cap on the time; a run that began before it is not cut short
 */
public record WarmUp(int leastRuns, Duration leastTime, int mostRuns, Duration mostTime) {
  /**
   * 20 runs and 20 ms at least, as TorchScript's executor specialises on its first forwards; at
   * most 1,000,000 runs and 1 s.
   */
  public static final WarmUp DEFAULT =
      new WarmUp(20, Duration.ofMillis(20), 1_000_000, Duration.ofSeconds(1));

  static final int WINDOW_RUNS = 5;
  static final int WINDOWS = 3;
  static final double TOLERANCE = 0.02;

  // Between clock readings anyway; a forward of 50 ns would never agree to 2 %.
  private static final double CLOCK_NS = 100;
  // The range of three equal normal values passes 3.31 σ in 1 of 20 (Tukey's studentised range).
  private static final double RANGE_OF_THREE = 3.31;
  // σ of a median of m normal values is 1.2533 σ / √m.
  private static final double OF_MEDIAN = 1.2533;

  /**
   * Checks all four.
   *
   * @throws IllegalArgumentException where a cap lies below the least
   */
  public WarmUp {
    if (leastRuns < 0 || mostRuns < Math.max(1, leastRuns) || mostTime.compareTo(leastTime) < 0) {
      throw new IllegalArgumentException(
          "warm-up of at least "
              + leastRuns
              + " runs and "
              + leastTime
              + ", at most "
              + mostRuns
              + " and "
              + mostTime
              + "; a cap must not lie below the least");
    }
  }

  /** Why warm-up ended. */
  public enum Ended {
    /** The last windows agreed. */
    STEADY,
    /** The most runs were done before they did. */
    CAP_RUNS,
    /** The most time was over before they did. */
    CAP_TIME,
    /** Somebody asked to stop. */
    CANCELLED;

    /**
     * As reports write it: {@code steady}, {@code cap_runs}, {@code cap_time}, {@code cancelled}.
     */
    public String key() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * What warm-up took.
   *
   * @param runs forwards
   * @param ns their time, from the first start to the last end of each window, summed
   * @param ended why it ended; null where the number of runs was asked for
   */
  public record Result(int runs, long ns, Ended ended) {}

  /**
   * Warms up by so many runs; by the default rule where {@code runs} is null.
   *
   * @return ended by null where the number was asked for
   */
  public static Result run(Integer runs, Workload workload, BooleanSupplier cancelled) {
    if (runs == null) return DEFAULT.run(workload, cancelled);
    if (runs == 0) return new Result(0, 0, null);
    Samples ran = workload.time(runs, Duration.ofDays(1));
    return new Result(ran.count(), ran.spanNs(), null);
  }

  /**
   * Warms up; time is the workload's own. For one thread at a time and workload.
   *
   * @param cancelled asked between two windows
   */
  public Result run(Workload workload, BooleanSupplier cancelled) {
    List<Window> windows = new ArrayList<>();
    int runs = 0;
    long ns = 0;
    while (true) {
      if (cancelled.getAsBoolean()) return new Result(runs, ns, Ended.CANCELLED);
      if (runs >= mostRuns) return new Result(runs, ns, Ended.CAP_RUNS);
      if (ns >= mostTime.toNanos()) return new Result(runs, ns, Ended.CAP_TIME);
      Window window = Window.run(workload, this, mostRuns - runs, mostTime.toNanos() - ns);
      windows.add(window);
      runs += window.runs();
      ns += window.ns();
      if (runs >= leastRuns && ns >= leastTime.toNanos() && agree(windows)) {
        return new Result(runs, ns, Ended.STEADY);
      }
    }
  }

  private static boolean agree(List<Window> windows) {
    if (windows.size() < WINDOWS) return false;
    double low = Double.POSITIVE_INFINITY;
    double high = 0;
    double error = 0;
    for (Window window : windows.subList(windows.size() - WINDOWS, windows.size())) {
      if (window.runs() < WINDOW_RUNS) return false;
      low = Math.min(low, window.median());
      high = Math.max(high, window.median());
      error += window.spread() / Math.sqrt(window.runs()) * OF_MEDIAN / WINDOWS;
    }
    return high - low <= Math.max(Math.max(TOLERANCE * low, CLOCK_NS), RANGE_OF_THREE * error);
  }

  /** One window: its runs, time, and the median and scaled MAD of its durations in nanoseconds. */
  private record Window(int runs, long ns, double median, double spread) {
    static Window run(Workload workload, WarmUp rule, int mostRuns, long mostNs) {
      long target = Math.min(rule.leastTime.toNanos() / 4, mostNs);
      Samples samples =
          workload.time(Math.min(10_000, mostRuns), Duration.ofNanos(Math.max(1, target)));
      double[] durations = durations(samples, new double[0]);
      long ns = samples.spanNs();
      while (durations.length < Math.min(WINDOW_RUNS, mostRuns) && ns < mostNs) {
        int missing = Math.min(WINDOW_RUNS, mostRuns) - durations.length;
        samples = workload.time(missing, Duration.ofNanos(mostNs - ns));
        durations = durations(samples, durations);
        ns += samples.spanNs();
      }
      double median = Blocks.median(durations.clone());
      return new Window(durations.length, ns, median, Blocks.spread(durations, median));
    }

    private static double[] durations(Samples samples, double[] before) {
      double[] all = java.util.Arrays.copyOf(before, before.length + samples.count());
      for (int i = 0; i < samples.count(); i++) all[before.length + i] = samples.durationNs(i);
      return all;
    }
  }
}
