package org.rpx.agent.measure;

/**
 * A change of level inside the steady runs.
 *
 * @param kind what it looks like
 * @param share size relative to the median, above 0 where later runs, or the runs said, are slower:
 *     0.1 is 10 %
 * @param fromRun where the change lies: {@link Kind#WARM_UP} ends before this run, {@link
 *     Kind#SHIFT} begins at it; 0 for a trend over all runs and for modes
 */
public record LevelChange(Kind kind, double share, int fromRun) {
  /** What a change looks like, and what to do about it. */
  public enum Kind {
    /** Runs get steadily slower, or faster. */
    TREND("runs drift over time; let the machine settle, fix its clocks, then measure again"),
    /** The first runs were slower than all that follow. */
    WARM_UP("the first timed runs were still warming up; use a larger --warmup"),
    /** From one run on, another level. */
    SHIFT("the level changed during the runs; look for throttling and other load, then repeat"),
    /** Two levels, each taken by many runs. */
    TWO_MODES(
        "runs take one of two times; look for frequency steps, other load or cores that differ");

    private final String remedy;

    Kind(String remedy) {
      this.remedy = remedy;
    }

    /** What it means and what to do, in one line. */
    public String remedy() {
      return remedy;
    }
  }
}
