package org.rpx.agent.monitor;

import java.util.List;

/**
 * Says what the machine did, for the reports of missed deadlines. Asked five times a second by the
 * black box's thread, never in the loop; one that throws is left out from then on.
 */
public interface MachineProbe extends AutoCloseable {
  /** Called once on each thread that becomes the writer, before its first cycle. */
  default void attach() {}

  /** Counters since whenever, and gauges; the same names in the same order each time. */
  List<MachineFact> facts();

  /** What happened lately and took its time, as pauses of the collector; old ones may go. */
  default List<MachineEvent> events() {
    return List.of();
  }

  @Override
  default void close() {}
}
