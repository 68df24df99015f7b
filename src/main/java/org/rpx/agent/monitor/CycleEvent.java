package org.rpx.agent.monitor;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * A cycle in a flight recording. One object serves all cycles of a monitor, so that none is
 * allocated in the loop; while nothing records, it costs a look at a flag.
 */
@Name("rpx.Cycle")
@Label("Control Loop Cycle")
@Category("rpx-agent")
@StackTrace(false)
final class CycleEvent extends Event {
  @Label("Monitor")
  String monitor;

  @Label("Cycle")
  long cycle;

  @Label("Deadline Missed")
  boolean missed;

  @Label("Begin After Release")
  @Timespan(Timespan.NANOSECONDS)
  long lateness;

  @Label("Device Time")
  @Timespan(Timespan.NANOSECONDS)
  long device;

  @Label("Slowest Stage")
  String slowestStage;

  @Label("Slowest Stage Time")
  @Description("Of the stage that took the most of this cycle")
  @Timespan(Timespan.NANOSECONDS)
  long slowest;

  /**
   * Ends and writes it. Times are nanoseconds, {@link Ring#NONE} where unknown: recordings say it
   * by the same number.
   *
   * @param ends of the stages, as {@link System#nanoTime}
   */
  void ended(
      MonitorBuilder of,
      long number,
      long begin,
      boolean deadlineMissed,
      long late,
      long deviceTime,
      long[] ends) {
    // Its own two readings of the clock, which is that of the recording.
    end();
    monitor = of.name;
    cycle = number;
    missed = deadlineMissed;
    lateness = late;
    device = deviceTime;
    slowest = Ring.NONE;
    slowestStage = null;
    long from = begin;
    for (int i = 0; i < ends.length; i++) {
      if (ends[i] == Ring.NONE) continue;
      if (ends[i] - from > slowest) {
        slowest = ends[i] - from;
        slowestStage = of.stages.get(i);
      }
      from = ends[i];
    }
    commit();
  }
}
