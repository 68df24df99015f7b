package org.rpx.agent.report;

import static org.rpx.agent.report.JsonStyle.entry;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.rpx.agent.measure.DeviceTimes;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Statistics;

/** What tier 3 holds of an accelerator: null where it ran on the CPU. */
final class JsonDevice {
  private final JsonGenerator json;

  JsonDevice(JsonGenerator json) {
    this.json = json;
  }

  void write(Measurement tier3) throws IOException {
    DeviceTimes times = tier3.deviceTimes();
    if (times == null) {
      json.writeNullField("device_time");
      return;
    }
    json.writeObjectFieldStart("device_time");
    entry(json, "clock", times.noEvents() == null ? "events" : "host");
    entry(json, "no_events", times.noEvents());
    entry(json, "floor_ms", times.floorMs());
    entry(json, "enqueue_p50_ms", times.enqueueMs(50));
    entry(json, "enqueue_p95_ms", times.enqueueMs(95));
    entry(json, "enqueue_share", share(tier3));
    entry(json, "wall_p50_ms", times.wallMs(50));
    entry(json, "wall_p95_ms", times.wallMs(95));
    transfer("h2d", times.toDevice());
    transfer("d2h", times.fromDevice());
    samples("enqueue_ms", times.enqueueNs());
    samples("wall_ms", times.wallNs());
    json.writeEndObject();
  }

  /** The median of enqueueing as a part of that on the device; null where either is unknown. */
  static Double share(Measurement tier3) {
    Double enqueue = tier3.deviceTimes() == null ? null : tier3.deviceTimes().enqueueMs(50);
    if (enqueue == null || tier3.samples().count() == 0) return null;
    Statistics device = tier3.statistics();
    return device.percentile(50) == 0 ? null : enqueue / (device.percentile(50) / 1e6);
  }

  void write(Measurement.DevicePeak peak) throws IOException {
    if (peak == null) {
      json.writeNullField("device");
      return;
    }
    json.writeObjectFieldStart("device");
    entry(json, "allocated_mb", peak.allocatedMb());
    entry(json, "reserved_mb", peak.reservedMb());
    entry(json, "used_mb", peak.usedMb());
    entry(json, "total_mb", peak.totalMb());
    entry(json, "sampled", peak.sampled());
    json.writeEndObject();
  }

  private void transfer(String key, DeviceTimes.Transfer transfer) throws IOException {
    if (transfer == null) {
      json.writeNullField(key);
      return;
    }
    json.writeObjectFieldStart(key);
    entry(json, "bytes", transfer.bytes());
    entry(json, "pinned_p50_ms", transfer.pinnedMs());
    entry(json, "pageable_p50_ms", transfer.pageableMs());
    entry(json, "reason", transfer.reason());
    json.writeEndObject();
  }

  private void samples(String key, long[] ns) throws IOException {
    if (ns == null) json.writeNullField(key);
    else JsonReportWriter.times(json, key, ns.length, i -> ns[(int) i]);
  }
}
