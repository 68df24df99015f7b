package org.rpx.agent.report;

import java.io.IOException;
import java.util.Map;
import org.rpx.agent.measure.DeviceTimes;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Pace;
import org.rpx.agent.measure.Samples;

/** Reads tier 3. What follows from other keys is checked as a number and then reckoned again. */
final class JsonTier3Reader {
  private JsonTier3Reader() {}

  static Measurement read(JsonCursor json) throws IOException {
    Tier3 read = new Tier3();
    JsonCourseReader course = new JsonCourseReader(json);
    json.object(
        key -> {
          switch (key) {
            case "device" -> read.device = json.required(json.text());
            case "batch" -> read.batch = json.required(json.smallCount(1));
            case "load_ms" -> read.loadMs = json.number();
            case "first_run_ms" -> read.firstRunMs = json.number();
            case "warmup_runs" -> read.warmupRuns = json.required(json.smallCount(0));
            case "samples", "p50_ms", "p95_ms", "p99_ms", "mean_ms", "min_ms", "max_ms" ->
                json.number();
            case "throughput_per_s" -> json.number();
            case "samples_ms" -> read.durationsNs = json.nanoseconds();
            case "starts_ms" -> read.startsNs = json.nanoseconds();
            case "peak" -> read.peak = json.isNull() ? null : peak(json);
            case "threads" -> read.threads = json.isNull() ? null : threads(json);
            case "telemetry" -> read.telemetry = json.isNull() ? null : json.map();
            case "device_time" -> read.deviceTimes = JsonDeviceReader.times(json);
            default -> {
              if (!course.read(key)) json.skip();
            }
          }
        });
    if (read.device == null
        || read.batch == null
        || read.warmupRuns == null
        || read.durationsNs == null
        || read.startsNs == null) {
      throw json.wrong("lacks device, batch, warmup_runs, samples_ms or starts_ms");
    }
    int count = read.durationsNs.length;
    if (read.startsNs.length != count) {
      throw json.wrong("has " + count + " samples_ms and " + read.startsNs.length + " starts_ms");
    }
    Samples samples = new Samples(read.startsNs, read.durationsNs, count);
    try {
      Pace pace = course.course().loop().pace();
      if (pace != null && count > 0) pace.runs(samples);
    } catch (IllegalArgumentException e) {
      throw json.wrong("has paced runs that cannot be: " + e.getMessage());
    }
    return new Measurement(
        read.device,
        read.loadMs,
        read.firstRunMs,
        read.warmupRuns,
        samples,
        read.batch,
        read.threads,
        read.peak,
        course.course(),
        read.telemetry,
        read.deviceTimes);
  }

  private static Measurement.Peak peak(JsonCursor json) throws IOException {
    Double[] mb = new Double[4];
    Measurement.DevicePeak[] device = new Measurement.DevicePeak[1];
    json.object(
        key -> {
          switch (key) {
            case "cpu_rss_mb" -> mb[0] = json.number();
            case "cpu_tensor_mb" -> mb[1] = json.number();
            case "cuda_mb" -> mb[2] = json.number();
            case "mps_mb" -> mb[3] = json.number();
            case "device" -> device[0] = JsonDeviceReader.peak(json);
            default -> json.skip();
          }
        });
    return new Measurement.Peak(mb[0], mb[1], mb[2], mb[3], device[0]);
  }

  private static Measurement.Threads threads(JsonCursor json) throws IOException {
    Tier3 read = new Tier3();
    json.object(
        key -> {
          switch (key) {
            case "operators" -> read.operators = json.required(json.smallCount(0));
            case "blas" -> read.blas = json.smallCount(1);
            case "tried" -> read.tried = json.numbers();
            default -> json.skip();
          }
        });
    if (read.operators == null) {
      throw json.wrong("lacks operators");
    }
    return new Measurement.Threads(read.operators, read.blas == null ? 0 : read.blas, read.tried);
  }

  private static final class Tier3 {
    private Map<String, Object> telemetry;
    private String device;
    private Integer batch;
    private Double loadMs;
    private Double firstRunMs;
    private Integer warmupRuns;
    private long[] durationsNs;
    private long[] startsNs;
    private Measurement.Peak peak;
    private Measurement.Threads threads;
    private DeviceTimes deviceTimes;
    private Integer operators;
    private Integer blas;
    private Map<String, Double> tried = Map.of();
  }
}
