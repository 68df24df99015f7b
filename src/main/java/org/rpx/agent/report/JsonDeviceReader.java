package org.rpx.agent.report;

import java.io.IOException;
import org.rpx.agent.measure.DeviceTimes;
import org.rpx.agent.measure.Measurement;

/** Reads what tier 3 holds of an accelerator. */
final class JsonDeviceReader {
  private JsonDeviceReader() {}

  static DeviceTimes times(JsonCursor json) throws IOException {
    if (json.isNull()) return null;
    Times read = new Times();
    json.object(
        key -> {
          switch (key) {
            case "no_events" -> read.noEvents = json.text();
            case "floor_ms" -> read.floorMs = json.number();
            case "enqueue_p50_ms", "enqueue_p95_ms", "enqueue_share" -> json.number();
            case "wall_p50_ms", "wall_p95_ms" -> json.number();
            case "h2d" -> read.toDevice = transfer(json);
            case "d2h" -> read.fromDevice = transfer(json);
            case "enqueue_ms" -> read.enqueueNs = json.isNull() ? null : json.nanoseconds();
            case "wall_ms" -> read.wallNs = json.isNull() ? null : json.nanoseconds();
            default -> json.skip();
          }
        });
    return new DeviceTimes(
        read.noEvents, read.enqueueNs, read.wallNs, read.floorMs, read.toDevice, read.fromDevice);
  }

  private static DeviceTimes.Transfer transfer(JsonCursor json) throws IOException {
    if (json.isNull()) return null;
    Copy read = new Copy();
    json.object(
        key -> {
          switch (key) {
            case "bytes" -> read.bytes = json.required(json.count());
            case "pinned_p50_ms" -> read.pinnedMs = json.number();
            case "pageable_p50_ms" -> read.pageableMs = json.number();
            case "reason" -> read.reason = json.text();
            default -> json.skip();
          }
        });
    return new DeviceTimes.Transfer(read.bytes, read.pinnedMs, read.pageableMs, read.reason);
  }

  static Measurement.DevicePeak peak(JsonCursor json) throws IOException {
    if (json.isNull()) return null;
    Memory read = new Memory();
    json.object(
        key -> {
          switch (key) {
            case "allocated_mb" -> read.mb[0] = json.number();
            case "reserved_mb" -> read.mb[1] = json.number();
            case "used_mb" -> read.mb[2] = json.number();
            case "total_mb" -> read.mb[3] = json.number();
            case "sampled" -> read.sampled = json.truth();
            default -> json.skip();
          }
        });
    return new Measurement.DevicePeak(read.mb[0], read.mb[1], read.mb[2], read.mb[3], read.sampled);
  }

  private static final class Times {
    private String noEvents;
    private Double floorMs;
    private long[] enqueueNs;
    private long[] wallNs;
    private DeviceTimes.Transfer toDevice;
    private DeviceTimes.Transfer fromDevice;
  }

  private static final class Copy {
    private long bytes;
    private Double pinnedMs;
    private Double pageableMs;
    private String reason;
  }

  private static final class Memory {
    private final Double[] mb = new Double[4];
    private boolean sampled;
  }
}
