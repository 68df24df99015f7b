package org.rpx.agent.monitor;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often a monitor was called wrongly since its start. Such a call changed no figure.
 *
 * @param beginsWithoutEnd cycles dropped because the next one began first
 * @param endsWithoutBegin ends with no open cycle, or with another one's number
 * @param marksWithoutBegin marks with no open cycle
 * @param marksOutOfOrder marks of a stage that does not exist, or not after the last one marked
 * @param otherThreads calls from a thread that is not the writer
 * @param badValues negative durations, or such beyond 2<sup>53</sup> ns; device times of no cycle
 */
public record WrongUse(
    long beginsWithoutEnd,
    long endsWithoutBegin,
    long marksWithoutBegin,
    long marksOutOfOrder,
    long otherThreads,
    long badValues) {

  static WrongUse of(AtomicLongArray counts) {
    return new WrongUse(
        counts.get(Misuse.BEGIN_WITHOUT_END.ordinal()),
        counts.get(Misuse.END_WITHOUT_BEGIN.ordinal()),
        counts.get(Misuse.MARK_WITHOUT_BEGIN.ordinal()),
        counts.get(Misuse.MARK_OUT_OF_ORDER.ordinal()),
        counts.get(Misuse.OTHER_THREAD.ordinal()),
        counts.get(Misuse.BAD_VALUE.ordinal()));
  }

  /** All of them together; 0 in a loop that is right. */
  public long total() {
    return beginsWithoutEnd
        + endsWithoutBegin
        + marksWithoutBegin
        + marksOutOfOrder
        + otherThreads
        + badValues;
  }
}
