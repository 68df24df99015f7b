package org.rpx.agent.measure;

import java.util.List;

/**
 * Every timed run, raw: when it began since the first one, and how long it took, in nanoseconds.
 * Safe for use from several threads.
 */
public final class Samples {
  private final long[] startNs;
  private final long[] durationNs;
  private Statistics statistics;

  /** Takes the first {@code count} entries of both arrays. */
  public Samples(long[] startNs, long[] durationNs, int count) {
    this.startNs = java.util.Arrays.copyOf(startNs, count);
    this.durationNs = java.util.Arrays.copyOf(durationNs, count);
  }

  private Samples(long[] startNs, long[] durationNs) {
    this.startNs = startNs;
    this.durationNs = durationNs;
  }

  /** Takes both arrays, of one length, as they are: whoever gives them keeps none. */
  public static Samples owning(long[] startNs, long[] durationNs) {
    if (startNs.length != durationNs.length)
      throw new IllegalArgumentException(
          startNs.length + " starts and " + durationNs.length + " durations; give one for each");
    return new Samples(startNs, durationNs);
  }

  /** How many runs. */
  public int count() {
    return durationNs.length;
  }

  /** When the i-th run began, since the first did. */
  public long startNs(int i) {
    return startNs[i];
  }

  /** How long the i-th run took. */
  public long durationNs(int i) {
    return durationNs[i];
  }

  /** A copy of the durations in the order in which they ran. */
  public long[] durationsNs() {
    return durationNs.clone();
  }

  /** From the first start to the last end, in nanoseconds; 0 where nothing ran. */
  public long spanNs() {
    return count() == 0 ? 0 : startNs[count() - 1] + durationNs[count() - 1];
  }

  /**
   * Where the level of the durations changed inside the runs: empty where they are steady, null
   * where there are fewer than {@value Steadiness#LEAST_RUNS} and nothing can be told. Reckoned
   * again by each call.
   */
  public List<LevelChange> levelChanges() {
    return Steadiness.changes(this);
  }

  /**
   * Of the durations, in nanoseconds; reckoned once.
   *
   * @throws IllegalArgumentException if there are none
   */
  public synchronized Statistics statistics() {
    if (statistics == null) statistics = Statistics.of(durationNs);
    return statistics;
  }
}
