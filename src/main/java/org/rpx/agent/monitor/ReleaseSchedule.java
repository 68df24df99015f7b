package org.rpx.agent.monitor;

/**
 * When cycles were due. Without a given release time the schedule is the latest grid of the period
 * that no cycle began before: it starts at the first begin, and an earlier begin pulls it forward.
 */
final class ReleaseSchedule {
  private final long period;
  private boolean started;
  private long next;

  /** Of the last begin: nanoseconds after its release, 0 or more. Unknown where {@link #extra}. */
  long lateness;

  /** Whether the last begin shared its release with the one before: a loop that catches up. */
  boolean extra;

  /**
   * @param period nanoseconds; 0 where none is known
   */
  ReleaseSchedule(long period) {
    this.period = period;
  }

  /** A cycle begins; how many releases passed without one since the last. */
  long begin(long now) {
    extra = false;
    if (!started) {
      started = true;
      next = now + period;
      lateness = 0;
      return 0;
    }
    long late = now - next;
    long skipped = 0;
    if (late < 0) {
      if (-late > period / 2) {
        extra = true;
        return 0;
      }
      next = now;
      late = 0;
    } else if (late >= period) {
      skipped = late / period;
      next += skipped * period;
      late -= skipped * period;
    }
    lateness = late;
    next += period;
    return skipped;
  }

  /** A cycle begins that was due at {@code release}, as the loop's own pacing says. */
  long begin(long now, long release) {
    extra = false;
    // A timer may wake a loop early; that is no lateness.
    lateness = Math.max(0, now - release);
    long skipped = 0;
    if (started && period > 0) {
      long gap = release - next;
      if (gap > period / 2) skipped = (gap + period / 2) / period;
    }
    started = true;
    next = release + period;
    return skipped;
  }
}
