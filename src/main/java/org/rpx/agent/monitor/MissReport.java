package org.rpx.agent.monitor;

import java.util.List;

/** The JSON of one missed deadline (docs/blackbox.md, "rpx.miss/1"). */
final class MissReport {
  private static final int BEFORE = 32;
  private static final int AFTER = 8;
  private final JsonText json = new JsonText();
  private final BlackBoxFile ring;
  private final long start;

  /**
   * @param start the monitor's start as nanoTime
   */
  MissReport(BlackBoxFile ring, long start) {
    this.ring = ring;
    this.start = start;
  }

  String write(
      Cycle missed,
      Probes.Sample before,
      Probes.Sample after,
      List<MachineEvent> events,
      long unreported) {
    Long begin = missed.beginNanos() == null ? null : start + missed.beginNanos();
    Diagnosis diagnosis = Diagnosis.of(ring, missed, begin, before, after, events);
    json.open('{').field("schema", "rpx.miss/1").field("monitor", ring.name());
    json.field("pid", ring.pid()).field("started", ring.started().toString());
    json.field("period_ns", ring.periodNanos()).field("deadline_ns", ring.deadlineNanos());
    json.field("misses_unreported_before", unreported).line();
    json.field("text", diagnosis.text()).line();
    json.name("miss").open('{').field("cycle", missed.number());
    json.field(
        "at", begin == null ? null : ring.started().plusNanos(missed.beginNanos()).toString());
    json.field("duration_ns", missed.durationNanos()).field("run", missed.missRun());
    json.field("late_ns", diagnosis.latenessNanos());
    json.field("stage", diagnosis.stage()).field("stage_ns", diagnosis.stageNanos());
    json.field("stage_usual_ns", diagnosis.usualNanos());
    json.field("excess_ns", diagnosis.excessNanos()).name("causes").open('[');
    for (Diagnosis.Cause cause : diagnosis.causes()) {
      json.open('{').field("kind", cause.kind()).field("text", cause.text()).close('}');
    }
    json.close(']').close('}').line();
    machine(before, after);
    events(events, before.begin(), after.end());
    json.name("stages").open('[');
    ring.stages().forEach(json::value);
    json.close(']').line().name("cycles").open('[');
    for (Cycle cycle : ring.cycles()) {
      long away = cycle.number() - missed.number();
      if (away >= -BEFORE && away <= AFTER) cycle(cycle);
    }
    return json.close(']').close('}').line().toString();
  }

  private void machine(Probes.Sample before, Probes.Sample after) {
    json.name("machine").open('{').field("from_ns", before.begin() - start);
    json.field("to_ns", after.end() - start).name("facts").open('[');
    for (MachineFact fact : after.facts()) {
      Long earlier = fact.value() == null ? null : Diagnosis.value(before.facts(), fact.name());
      json.line().open('{').field("name", fact.name()).field("unit", fact.unit());
      json.field("before", earlier).field("after", fact.value());
      if (fact.counter()) {
        json.field("difference", earlier == null ? null : fact.value() - earlier);
      }
      if (fact.why() != null) json.field("why", fact.why());
      json.close('}');
    }
    json.close(']').close('}').line();
  }

  private void events(List<MachineEvent> events, long from, long to) {
    json.name("events").open('[');
    for (MachineEvent event : events) {
      if (event.endNanos() < from || event.beginNanos() > to) continue;
      json.open('{').field("kind", event.kind()).field("begin_ns", event.beginNanos() - start);
      json.field("end_ns", event.endNanos() - start).field("detail", event.detail()).close('}');
    }
    json.close(']').line();
  }

  private void cycle(Cycle cycle) {
    json.line();
    CycleJson.write(json, cycle);
  }
}
