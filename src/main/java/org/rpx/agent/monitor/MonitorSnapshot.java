package org.rpx.agent.monitor;

import java.util.List;

/**
 * What a monitor has measured, at one moment; immutable. Its counts belong together: every figure
 * comes from the same whole cycles.
 *
 * @param stages the stages' names
 * @param periodNanos null where none was given
 * @param deadlineNanos null where none was given
 * @param writer the name of the thread that writes; null before the first call
 * @param sinceStart all cycles since the monitor was built
 * @param window the last full window; before there is one, what there is so far. Windows end with
 *     the first snapshot after their time
 * @param wrongUse calls that were counted and not carried out
 * @param blackBox null where none was asked for
 * @param current false where the writer was held in the middle of a cycle's end (stopped, in a
 *     debugger) and its last cycles will come with a later snapshot
 */
public record MonitorSnapshot(
    String name,
    List<String> stages,
    Long periodNanos,
    Long deadlineNanos,
    String writer,
    SpanFigures sinceStart,
    SpanFigures window,
    WrongUse wrongUse,
    BlackBoxState blackBox,
    boolean current) {

  /**
   * How far a percentile may lie from the sample that it stands for, as a part of it: 1/2048, three
   * significant digits. Durations from 2<sup>40</sup> ns (18 minutes) on share one bucket.
   */
  public static final double QUANTILE_ERROR = Buckets.RELATIVE_ERROR;

  /**
   * One line of JSON ("rpx.snapshot/1", docs/monitor.md), to be appended to a file; no line's end.
   */
  public String toJson() {
    return SnapshotJson.of(this);
  }

  /** A table for people. */
  @Override
  public String toString() {
    return new SnapshotText(this).toString();
  }
}
