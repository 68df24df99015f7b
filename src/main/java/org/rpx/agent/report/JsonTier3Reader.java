package org.rpx.agent.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.rpx.agent.measure.DeviceTimes;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Pace;
import org.rpx.agent.measure.Samples;

/** Reads tier 3. What follows from other keys is checked as a number and then reckoned again. */
final class JsonTier3Reader {
  private JsonTier3Reader() {}

  static Measurement read(JsonCursor json, Path folder) throws IOException {
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
            case "samples_ms" -> read.durationsNs = json.isNull() ? null : json.nanoseconds();
            case "starts_ms" -> read.startsNs = json.isNull() ? null : json.nanoseconds();
            case "samples_file" -> read.samplesFile = name(json);
            case "samples_crc32" -> read.samplesCrc = json.count();
            case "peak" -> read.peak = json.isNull() ? null : peak(json);
            case "threads" -> read.threads = json.isNull() ? null : threads(json);
            case "telemetry" -> read.telemetry = json.isNull() ? null : json.map();
            case "device_time" -> read.deviceTimes = JsonDeviceReader.times(json);
            default -> {
              if (!course.read(key)) json.skip();
            }
          }
        });
    Samples samples = samples(json, folder, read);
    if (read.device == null || read.batch == null || read.warmupRuns == null || samples == null) {
      throw json.wrong("lacks device, batch, warmup_runs, samples_ms or starts_ms");
    }
    int count = samples.count();
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

  /** Those of the file that is named, or else those of the lists; null where there are neither. */
  private static Samples samples(JsonCursor json, Path folder, Tier3 read) throws IOException {
    if (read.samplesFile != null) {
      if (read.samplesCrc == null || folder == null) throw json.wrong("lacks samples_crc32");
      return new SamplesFile(read.samplesFile, read.samplesCrc).read(folder, json.source());
    }
    if (read.durationsNs == null || read.startsNs == null) return null;
    int count = read.durationsNs.length;
    if (read.startsNs.length != count) {
      throw json.wrong("has " + count + " samples_ms and " + read.startsNs.length + " starts_ms");
    }
    return Samples.owning(read.startsNs, read.durationsNs);
  }

  /** A file beside the report, and no other: a report may come from elsewhere. */
  private static String name(JsonCursor json) throws IOException {
    String name = json.text();
    if (name != null && (!name.endsWith(".npy") || name.matches("(?s).*[/\\\\\\x00].*")))
      throw json.wrong("is no name of an .npy file beside the report");
    return name;
  }

  private static Measurement.Peak peak(JsonCursor json) throws IOException {
    Double[] mb = new Double[7];
    String[] noHeap = new String[1];
    Measurement.DevicePeak[] device = new Measurement.DevicePeak[1];
    json.object(
        key -> {
          switch (key) {
            case "cpu_rss_mb" -> mb[0] = json.number();
            case "cpu_tensor_mb" -> mb[1] = json.number();
            case "cuda_mb" -> mb[2] = json.number();
            case "mps_mb" -> mb[3] = json.number();
            case "device" -> device[0] = JsonDeviceReader.peak(json);
            case "weights_mb" -> mb[4] = json.number();
            case "liveness_mb" -> mb[5] = json.number();
            case "jvm_heap_mb" -> mb[6] = json.number();
            case "jvm_heap_reason" -> noHeap[0] = json.text();
            // They follow from the others.
            case "cpu_tensor_with_weights_mb", "cpu_rss_without_weights_mb", "tensor_to_liveness" ->
                json.number();
            default -> json.skip();
          }
        });
    boolean host = mb[4] != null || mb[5] != null || mb[6] != null || noHeap[0] != null;
    return new Measurement.Peak(
        mb[0],
        mb[1],
        mb[2],
        mb[3],
        device[0],
        host ? new Measurement.HostMemory(mb[4], mb[5], mb[6], noHeap[0]) : null);
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
    private String samplesFile;
    private Long samplesCrc;
    private Measurement.Peak peak;
    private Measurement.Threads threads;
    private DeviceTimes deviceTimes;
    private Integer operators;
    private Integer blas;
    private Map<String, Double> tried = Map.of();
  }
}
