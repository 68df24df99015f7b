package org.rpx.agent.monitor;

import java.util.List;

/**
 * One cycle of a black box. Nanoseconds.
 *
 * @param number from 1 on
 * @param beginNanos since the monitor's start; null where only a duration was recorded
 * @param latenessNanos begin after release; null without a schedule, or for an extra cycle
 * @param deviceNanos null where no device time was handed in
 * @param misses deadline misses since the start, this cycle included
 * @param skipped releases without a cycle since the start
 * @param missRun which of a run of misses this is; 0 where the deadline was met or none was given
 * @param stageEnds after the begin, one for each stage; null where it was not marked
 */
public record Cycle(
    long number,
    Long beginNanos,
    long durationNanos,
    Long latenessNanos,
    Long deviceNanos,
    long misses,
    long skipped,
    long missRun,
    List<Long> stageEnds) {

  /** One line of JSON with these fields in nanoseconds, null for what is unknown; no line's end. */
  public String toJson() {
    JsonText json = new JsonText();
    CycleJson.write(json, this);
    return json.toString();
  }

  /** Whether it missed its deadline. */
  public boolean missed() {
    return missRun > 0;
  }

  /** How long a stage took: from the end of the one marked before; null where it was not marked. */
  public Long stageNanos(int stage) {
    Long end = stageEnds.get(stage);
    if (end == null) return null;
    for (int i = stage - 1; i >= 0; i--) {
      if (stageEnds.get(i) != null) return Math.max(0, end - stageEnds.get(i));
    }
    return Math.max(0, end);
  }
}
