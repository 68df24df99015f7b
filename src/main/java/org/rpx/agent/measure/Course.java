package org.rpx.agent.measure;

import java.util.List;

/**
 * How a measurement went.
 *
 * @param warmUp why the warm-up ended: "steady", "cap_runs", "cap_time", or "asked" where the
 *     number of runs was given; null where a report does not tell
 * @param warmUpMs what the warm-up took; null likewise
 * @param stoppedBy what ended the timed runs: "iterations", "duration", "precision"; null likewise
 * @param percentiles which were asked for, ascending
 * @param processes the percentiles of each process, in nanoseconds, where several were measured;
 *     empty for one
 * @param loop what was so around each run
 */
public record Course(
    String warmUp,
    Double warmUpMs,
    String stoppedBy,
    List<Double> percentiles,
    List<List<PercentileEstimate>> processes,
    Loop loop) {
  /** What is reported where nothing is asked for. */
  public static final List<Double> PERCENTILES = List.of(50.0, 95.0, 99.0);

  /** Of a report that does not tell. */
  public static final Course UNKNOWN = new Course(null, null, null, PERCENTILES);

  public Course {
    percentiles = percentiles.stream().sorted().distinct().toList();
    processes = processes.stream().map(List::copyOf).toList();
  }

  /** Of one process. */
  public Course(String warmUp, Double warmUpMs, String stoppedBy, List<Double> percentiles) {
    this(warmUp, warmUpMs, stoppedBy, percentiles, List.of(), Loop.PLAIN);
  }

  /** The same, of several processes. */
  public Course withProcesses(List<List<PercentileEstimate>> processes) {
    return new Course(warmUp, warmUpMs, stoppedBy, percentiles, processes, loop);
  }

  /** The same, of another loop. */
  public Course withLoop(Loop loop) {
    return new Course(warmUp, warmUpMs, stoppedBy, percentiles, processes, loop);
  }

  /**
   * How processes differ in a percentile.
   *
   * @return null where there is one process only, or one of them does not know the percentile
   */
  public ProcessSpread spread(double p) {
    if (processes.size() < 2) return null;
    List<PercentileEstimate> all =
        processes.stream().flatMap(List::stream).filter(e -> e.p() == p).toList();
    boolean known =
        all.size() == processes.size()
            && all.stream().allMatch(e -> e.value() != null && e.value() > 0);
    return known ? ProcessSpread.of(all) : null;
  }
}
