package org.rpx.agent.report;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.rpx.agent.tier2.RooflineBound;

/** Key by key, what {@code rpx_benchmark} writes: its table row and its {@code compute_cost}. */
final class RpxRow {
  private RpxRow() {}

  static Map<String, Object> tableRow(EfficiencyMetadata figures) {
    Object unknown = figures.modelType().equals(EfficiencyMetadata.API) ? "N/A (API)" : null;
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("type", figures.modelType());
    row.put("params_m", figures.paramsM() != null ? figures.paramsM() : unknown);
    row.put("flops_g", figures.flopsG() != null ? figures.flopsG() : unknown);
    row.put("macs_g", figures.macsG() != null ? figures.macsG() : unknown);
    row.put("memory_traffic_gb", figures.memoryTrafficGb());
    row.put("arithmetic_intensity", figures.arithmeticIntensity());
    row.put("actmem_gb_fp16", figures.actmemGbFp16());
    row.put("latency_ms_per_sample", figures.latencyMsPerSample());
    row.put("latency_p50_ms", figures.latencyP50Ms());
    row.put("latency_p95_ms", figures.latencyP95Ms());
    row.put("latency_p99_ms", figures.latencyP99Ms());
    row.put("peak_cpu_mb", figures.peakCpuMb());
    row.put("peak_cuda_mb", figures.peakCudaMb());
    row.put("peak_mps_mb", figures.peakMpsMb());
    if (figures.roofline() != null) {
      figures
          .roofline()
          .forEach(
              (gpuName, bound) -> {
                row.put("roofline_" + column(gpuName) + "_ms", bound.latencyMs());
                row.put("bottleneck_" + column(gpuName), bound.bottleneck());
              });
    }
    if (figures.systemCard() != null) {
      row.put("system_card", figures.systemCard().toMap());
    }
    return row;
  }

  static Map<String, Object> computeCost(EfficiencyMetadata figures) {
    Map<String, Object> cost = new LinkedHashMap<>();
    cost.put("params_m", figures.paramsM());
    cost.put("flops_g", figures.flopsG());
    cost.put("macs_g", figures.macsG());
    cost.put("actmem_gb_fp16", figures.actmemGbFp16());
    cost.put("memory_traffic_gb", figures.memoryTrafficGb());
    cost.put("arithmetic_intensity", figures.arithmeticIntensity());
    cost.put(
        "roofline",
        figures.roofline() == null || figures.roofline().isEmpty()
            ? null
            : rooflineMaps(figures.roofline()));
    cost.put(
        "latency_ms_per_sample",
        figures.latencyMsPerSample() != null
            ? figures.latencyMsPerSample()
            : figures.latencyP50Ms());
    cost.put(
        "peak_memory_mb",
        Stream.of(figures.peakCpuMb(), figures.peakCudaMb(), figures.peakMpsMb())
            .filter(Objects::nonNull)
            .max(Double::compare)
            .orElse(null));
    cost.put("system_card", figures.systemCard() == null ? null : figures.systemCard().toMap());
    return cost;
  }

  private static Map<String, Object> rooflineMaps(Map<String, RooflineBound> roofline) {
    Map<String, Object> maps = new LinkedHashMap<>();
    roofline.forEach(
        (gpuName, bound) -> {
          Map<String, Object> map = new LinkedHashMap<>();
          map.put("compute_ms", bound.computeMs());
          map.put("memory_ms", bound.memoryMs());
          map.put("latency_ms", bound.latencyMs());
          map.put("bottleneck", bound.bottleneck());
          maps.put(gpuName, map);
        });
    return maps;
  }

  /** A GPU's name as the row's columns hold it: {@code A100-80GB} is {@code a100_80gb}. */
  static String column(String gpuName) {
    return gpuName.toLowerCase(Locale.ROOT).replace(' ', '_').replace('-', '_');
  }
}
