package org.rpx.agent.measure;

/**
 * Runs released on an absolute schedule, as a control loop releases them. Latency counts from the
 * intended release: a run that waits for the one before is late, and that must show (Tene's
 * "coordinated omission"). All times in nanoseconds on one clock.
 */
public final class PacedRuns {
  private final long periodNs;
  private final long[] intendedNs;
  private final long[] startNs;
  private final long[] endNs;

  private PacedRuns(long periodNs, long[] intendedNs, long[] startNs, long[] endNs) {
    this.periodNs = periodNs;
    this.intendedNs = intendedNs;
    this.startNs = startNs;
    this.endNs = endNs;
  }

  /**
   * Keeps the arrays; do not change them afterwards.
   *
   * @param periodNs of the schedule, above 0; also each run's deadline after its intended release
   * @param intendedNs when each run was to begin, in order
   * @param startNs when it began
   * @param endNs when it was done
   * @throws IllegalArgumentException if there are none, the lengths differ, or a run ended before
   *     it began, or before the one ahead of it
   */
  public static PacedRuns of(long periodNs, long[] intendedNs, long[] startNs, long[] endNs) {
    int n = intendedNs.length;
    if (periodNs <= 0) {
      throw new IllegalArgumentException("period must be above 0 ns, was " + periodNs);
    }
    if (n == 0 || startNs.length != n || endNs.length != n) {
      throw new IllegalArgumentException(
          n + " releases, " + startNs.length + " starts, " + endNs.length + " ends; give one each");
    }
    for (int i = 0; i < n; i++) {
      if (endNs[i] < startNs[i]
          || startNs[i] < intendedNs[i]
          || (i > 0 && startNs[i] < endNs[i - 1])) {
        throw new IllegalArgumentException(
            "run " + i + " is out of order; take all times from one monotonic clock");
      }
    }
    return new PacedRuns(periodNs, intendedNs, startNs, endNs);
  }

  public int count() {
    return endNs.length;
  }

  /** From the intended release to the end. */
  public Samples latencies() {
    return samples(intendedNs, endNs);
  }

  /** From the start to the end: what the program takes, whatever waits. */
  public Samples services() {
    return samples(startNs, endNs);
  }

  /** Runs that were done later than a period after their intended release. */
  public int deadlineMisses() {
    int misses = 0;
    for (int i = 0; i < count(); i++) if (misses(i)) misses++;
    return misses;
  }

  /** The most of them in a row. */
  public int longestRunOfMisses() {
    int longest = 0;
    int now = 0;
    for (int i = 0; i < count(); i++) {
      now = misses(i) ? now + 1 : 0;
      longest = Math.max(longest, now);
    }
    return longest;
  }

  /**
   * How late runs began that had nothing to wait for: timers and the scheduler, not queueing. Null
   * where each run waited for the one before.
   */
  public Statistics releaseJitter() {
    return free(startNs, intendedNs);
  }

  /**
   * What a run costs more because the machine has idled before it: the median of the runs that had
   * nothing to wait for, less that of runs back to back. Below 0 where pauses help. Null where no
   * run came after a pause.
   *
   * @param steadyMedianNs median of the same program without a pace
   */
  public Double afterIdleCostNs(double steadyMedianNs) {
    Statistics idle = free(endNs, startNs);
    return idle == null ? null : idle.median() - steadyMedianNs;
  }

  /** Runs a second that the program can do at most, at its mean time; null where it took none. */
  public Double capacityHz() {
    double mean = services().statistics().mean();
    return mean > 0 ? 1e9 / mean : null;
  }

  /**
   * Whether the rate is above capacity: runs take longer than the period on average, or the last
   * one began more than a period late and that lateness has grown from the beginning. Latencies
   * then only tell how long was measured.
   */
  public boolean overloaded() {
    if (services().statistics().mean() > periodNs) return true;
    int n = count();
    long late = lateness(n - 1);
    // A steady backlog has half of its lateness half-way; one stall has all of it at once.
    return late > periodNs && lateness(n / 2) >= late / 4 && lateness(n / 4) >= late / 16;
  }

  private long lateness(int i) {
    return startNs[i] - intendedNs[i];
  }

  private boolean misses(int i) {
    return endNs[i] - intendedNs[i] > periodNs;
  }

  /** {@code to} less {@code from} of the runs that found the program free; null without one. */
  private Statistics free(long[] to, long[] from) {
    long[] differences = new long[count()];
    int free = 0;
    for (int i = 1; i < count(); i++) {
      if (endNs[i - 1] <= intendedNs[i]) differences[free++] = to[i] - from[i];
    }
    return free == 0 ? null : Statistics.of(java.util.Arrays.copyOf(differences, free));
  }

  private Samples samples(long[] from, long[] to) {
    long[] starts = new long[count()];
    long[] durations = new long[count()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = from[i] - from[0];
      durations[i] = to[i] - from[i];
    }
    return new Samples(starts, durations, starts.length);
  }
}
