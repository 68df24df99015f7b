package org.rpx.agent.report;

import static org.rpx.agent.report.JsonStyle.entry;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.rpx.agent.measure.Loop;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Pace;
import org.rpx.agent.measure.PacedRuns;
import org.rpx.agent.measure.RealTime;
import org.rpx.agent.measure.Statistics;

/** What was so around each timed run, and whether the model keeps up with control loops. */
final class JsonLoop {
  private static final double NS_PER_MS = 1e6;
  private static final int SAMPLES_PER_LINE = 100;

  private JsonLoop() {}

  static void write(JsonGenerator json, Measurement tier3) throws IOException {
    Loop loop = tier3.course().loop();
    entry(json, "timer_floor_ns", loop.timerFloorNs());
    entry(json, "input_sets", (long) loop.inputSets());
    if (loop.flushedBytes() == null) json.writeNullField("cold_cache");
    else {
      json.writeObjectFieldStart("cold_cache");
      entry(json, "flushed_bytes", loop.flushedBytes());
      json.writeEndObject();
    }
    JsonStyle.perLine(json, JsonStyle.ALL);
    entry(json, "cpus", loop.cpus());
    JsonStyle.perLine(json, 1);
    json.writeArrayFieldStart("real_time");
    for (RealTime verdict : tier3.realTime()) {
      json.writeStartObject();
      entry(json, "hz", verdict.hz());
      entry(json, "beta", verdict.beta());
      entry(json, "real_time", verdict.realTime());
      json.writeEndObject();
    }
    json.writeEndArray();
    if (loop.pace() == null || tier3.paced() == null) json.writeNullField("paced");
    else paced(json, loop.pace(), tier3.paced());
  }

  private static void paced(JsonGenerator json, Pace pace, PacedRuns runs) throws IOException {
    json.writeObjectFieldStart("paced");
    entry(json, "rate_hz", pace.hz());
    entry(json, "period_ms", pace.periodNs() / NS_PER_MS);
    entry(json, "overloaded", runs.overloaded());
    entry(json, "capacity_hz", runs.capacityHz());
    entry(json, "deadline_misses", runs.deadlineMisses());
    entry(json, "longest_run_of_misses", runs.longestRunOfMisses());
    statistics(json, "release_jitter", runs.releaseJitter());
    Double straight = pace.backToBackNs();
    entry(json, "back_to_back_p50_ms", ms(straight));
    entry(json, "after_idle_cost_ms", straight == null ? null : ms(runs.afterIdleCostNs(straight)));
    statistics(json, "service", runs.services().statistics());
    JsonStyle.perLine(json, SAMPLES_PER_LINE);
    json.writeArrayFieldStart("services_ms");
    for (long ns : pace.serviceNs()) json.writeNumber(JsonStyle.milliseconds(ns));
    json.writeEndArray();
    JsonStyle.perLine(json, 1);
    json.writeEndObject();
  }

  private static void statistics(JsonGenerator json, String key, Statistics ns) throws IOException {
    if (ns == null) {
      json.writeNullField(key);
      return;
    }
    json.writeObjectFieldStart(key);
    entry(json, "p50_ms", ms(ns.median()));
    entry(json, "mean_ms", ms(ns.mean()));
    entry(json, "min_ms", ms((double) ns.min()));
    entry(json, "max_ms", ms((double) ns.max()));
    json.writeEndObject();
  }

  private static Double ms(Double ns) {
    return ns == null ? null : ns / NS_PER_MS;
  }
}
