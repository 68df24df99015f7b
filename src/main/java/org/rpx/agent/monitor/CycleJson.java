package org.rpx.agent.monitor;

/** A cycle as JSON: its fields with their units, null for what is unknown. */
final class CycleJson {
  private CycleJson() {}

  static void write(JsonText json, Cycle cycle) {
    json.open('{').field("cycle", cycle.number()).field("begin_ns", cycle.beginNanos());
    json.field("duration_ns", cycle.durationNanos()).field("lateness_ns", cycle.latenessNanos());
    json.field("device_ns", cycle.deviceNanos()).field("miss_run", cycle.missRun());
    json.field("misses", cycle.misses()).field("skipped", cycle.skipped());
    json.name("stage_ends_ns").open('[');
    cycle.stageEnds().forEach(json::value);
    json.close(']').close('}');
  }
}
