package org.rpx.agent.report;

import static org.rpx.agent.report.JsonStyle.entry;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.rpx.agent.gate.Gate;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.measure.Statistics;

/** Writes the keys of a report in their order. */
final class JsonReportWriter {
  private static final double NS_PER_MS = 1e6;
  private static final int SAMPLES_PER_LINE = 100;

  private final JsonGenerator json;
  private final SamplesFile file;

  /** With {@code file}, which may be null, the samples are named and not written. */
  JsonReportWriter(JsonGenerator json, SamplesFile file) {
    this.json = json;
    this.file = file;
  }

  void write(EfficiencyReport report) throws IOException {
    json.writeStartObject();
    entry(json, "schema", EfficiencyReport.SCHEMA);
    model(report.model());
    inputs(report);
    entry(json, "row", report.metadata().toTableRow());
    if (report.tier1() == null) json.writeNullField("tier1");
    else new JsonTier1Writer(json).write(report.tier1());
    tier2(report);
    tier3(report.tier3());
    entry(json, "system", report.system() == null ? null : report.system().toFullMap());
    warnings(json, report.warnings());
    if (!report.gates().isEmpty()) gates(json, report.gates());
    json.writeEndObject();
  }

  private void model(EfficiencyReport.Model model) throws IOException {
    json.writeObjectFieldStart("model");
    entry(json, "path", model.path());
    entry(json, "format", model.format());
    entry(json, "bytes", model.bytes());
    entry(json, "sha256", model.sha256());
    json.writeEndObject();
  }

  private void inputs(EfficiencyReport report) throws IOException {
    json.writeArrayFieldStart("inputs");
    for (EfficiencyReport.Input input : report.inputs()) {
      json.writeStartObject();
      entry(json, "name", input.name());
      JsonStyle.perLine(json, JsonStyle.ALL);
      entry(json, "shape", input.shape());
      JsonStyle.perLine(json, 1);
      entry(json, "dtype", input.dtype());
      entry(json, "values", input.values());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void tier2(EfficiencyReport report) throws IOException {
    json.writeArrayFieldStart("tier2");
    for (EfficiencyReport.Bound bound : report.tier2()) {
      json.writeStartObject();
      entry(json, "gpu", bound.gpu());
      entry(json, "precision", bound.precision());
      entry(json, "compute_ms", bound.computeMs());
      entry(json, "memory_ms", bound.memoryMs());
      entry(json, "latency_ms", bound.latencyMs());
      entry(json, "bottleneck", bound.bottleneck());
      entry(json, "op_by_op_ms", bound.opByOpMs());
      entry(json, "share_by_op", bound.shareByOp());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void tier3(Measurement tier3) throws IOException {
    if (tier3 == null) {
      json.writeNullField("tier3");
      return;
    }
    Samples samples = tier3.samples();
    // Statistics need a sample: without any, each of them is unknown.
    Statistics ns = samples.count() == 0 ? null : samples.statistics();
    json.writeObjectFieldStart("tier3");
    entry(json, "device", tier3.device());
    entry(json, "batch", tier3.batch());
    entry(json, "load_ms", tier3.loadMs());
    entry(json, "first_run_ms", tier3.firstRunMs());
    entry(json, "warmup_runs", tier3.warmupRuns());
    entry(json, "samples", samples.count());
    entry(json, "p50_ms", tier3.percentileMs(50));
    entry(json, "p95_ms", tier3.percentileMs(95));
    entry(json, "p99_ms", tier3.percentileMs(99));
    entry(json, "mean_ms", ns == null ? null : ns.mean() / NS_PER_MS);
    entry(json, "min_ms", ns == null ? null : ns.min() / NS_PER_MS);
    entry(json, "max_ms", ns == null ? null : ns.max() / NS_PER_MS);
    entry(json, "throughput_per_s", tier3.throughputPerS());
    JsonCourse.write(json, tier3);
    if (file == null) {
      times("samples_ms", samples.count(), i -> samples.durationNs((int) i));
      times("starts_ms", samples.count(), i -> samples.startNs((int) i));
    } else {
      entry(json, "samples_file", file.name());
      entry(json, "samples_crc32", file.crc32());
    }
    peak(tier3.peak());
    threads(tier3.threads());
    entry(json, "telemetry", tier3.telemetry());
    new JsonDevice(json).write(tier3);
    json.writeEndObject();
  }

  private void times(String key, int count, LongUnaryOperator nsOf) throws IOException {
    times(json, key, count, nsOf);
  }

  static void times(JsonGenerator json, String key, int count, LongUnaryOperator nsOf)
      throws IOException {
    JsonStyle.perLine(json, SAMPLES_PER_LINE);
    json.writeArrayFieldStart(key);
    for (int i = 0; i < count; i++) {
      json.writeNumber(JsonStyle.milliseconds(nsOf.applyAsLong(i)));
    }
    json.writeEndArray();
    JsonStyle.perLine(json, 1);
  }

  private void peak(Measurement.Peak peak) throws IOException {
    if (peak == null) {
      json.writeNullField("peak");
      return;
    }
    json.writeObjectFieldStart("peak");
    entry(json, "cpu_rss_mb", peak.cpuRssMb());
    entry(json, "cpu_tensor_mb", peak.cpuTensorMb());
    entry(json, "cuda_mb", peak.cudaMb());
    entry(json, "mps_mb", peak.mpsMb());
    new JsonDevice(json).write(peak.device());
    Measurement.HostMemory host = peak.host();
    entry(json, "weights_mb", host == null ? null : host.weightsMb());
    entry(json, "cpu_tensor_with_weights_mb", peak.cpuTensorWithWeightsMb());
    entry(json, "cpu_rss_without_weights_mb", peak.cpuRssWithoutWeightsMb());
    entry(json, "liveness_mb", host == null ? null : host.livenessMb());
    entry(json, "tensor_to_liveness", peak.tensorToLiveness());
    entry(json, "jvm_heap_mb", host == null ? null : host.jvmHeapMb());
    entry(json, "jvm_heap_reason", host == null ? null : host.noJvmHeap());
    json.writeEndObject();
  }

  private void threads(Measurement.Threads threads) throws IOException {
    if (threads == null) {
      json.writeNullField("threads");
      return;
    }
    json.writeObjectFieldStart("threads");
    entry(json, "operators", threads.operators());
    // A BLAS without a pool of its own has no width.
    entry(json, "blas", threads.blas() == 0 ? null : threads.blas());
    entry(json, "tried", threads.medianMsBySetup());
    json.writeEndObject();
  }

  static void gates(JsonGenerator json, List<Gate.Result> gates) throws IOException {
    json.writeArrayFieldStart("gates");
    for (Gate.Result result : gates) {
      json.writeStartObject();
      entry(json, "gate", result.gate().text());
      entry(json, "verdict", result.verdict().name());
      entry(json, "value", result.value());
      entry(json, "low", result.low());
      entry(json, "high", result.high());
      entry(json, "limit", result.limit());
      entry(json, "why", result.why());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  static void warnings(JsonGenerator json, List<Warning> warnings) throws IOException {
    json.writeArrayFieldStart("warnings");
    for (Warning warning : warnings) {
      json.writeStartObject();
      entry(json, "code", warning.code().name());
      entry(json, "message", warning.message());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
