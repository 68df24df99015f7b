package org.rpx.agent.report;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.host.SystemCard;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier2.GpuSpec;
import org.rpx.agent.tier2.RooflineBound;

/** Reads the table row back into the figures that it was written from, and a system card. */
final class JsonRowReader {
  private static final String NOT_SEEN = "N/A (API)";
  private static final String ROOFLINE = "roofline_";
  private static final String MS = "_ms";
  private static final String BOTTLENECK = "bottleneck_";

  private final JsonCursor json;
  private final EfficiencyBuilder figures = EfficiencyMetadata.builder();
  private final Map<String, Double> latencyByColumn = new LinkedHashMap<>();
  private final Map<String, String> bottleneckByColumn = new HashMap<>();
  private SystemCard card;

  JsonRowReader(JsonCursor json) {
    this.json = json;
  }

  void read() throws IOException {
    boolean[] typed = new boolean[1];
    json.object(
        key -> {
          typed[0] |= key.equals("type");
          value(key);
        });
    if (!typed[0]) {
      throw json.wrong("lacks type");
    }
  }

  private void value(String key) throws IOException {
    switch (key) {
      case "type" -> figures.modelType(type());
      case "params_m" -> figures.paramsM(seen());
      case "flops_g" -> figures.flopsG(seen());
      case "macs_g" -> figures.macsG(seen());
      case "memory_traffic_gb" -> figures.memoryTrafficGb(json.number());
      case "arithmetic_intensity" -> figures.arithmeticIntensity(json.number());
      case "actmem_gb_fp16" -> figures.actmemGbFp16(json.number());
      case "latency_ms_per_sample" -> figures.latencyMsPerSample(json.number());
      case "latency_p50_ms" -> figures.latencyP50Ms(json.number());
      case "latency_p95_ms" -> figures.latencyP95Ms(json.number());
      case "latency_p99_ms" -> figures.latencyP99Ms(json.number());
      case "peak_cpu_mb" -> figures.peakCpuMb(json.number());
      case "peak_cuda_mb" -> figures.peakCudaMb(json.number());
      case "peak_mps_mb" -> figures.peakMpsMb(json.number());
      case "system_card" -> card = json.isNull() ? null : card(json);
      default -> gpu(key);
    }
  }

  private String type() throws IOException {
    String type = json.required(json.text());
    if (!type.equals("local") && !type.equals(EfficiencyMetadata.API)) {
      throw json.wrong("is " + type + ", must be local or api");
    }
    return type;
  }

  /** A figure that reads "N/A (API)" where nobody can see into the model. */
  private Double seen() throws IOException {
    return json.is(NOT_SEEN) ? null : json.number();
  }

  private void gpu(String key) throws IOException {
    if (key.startsWith(ROOFLINE) && key.endsWith(MS)) {
      int end = Math.max(ROOFLINE.length(), key.length() - MS.length());
      latencyByColumn.put(key.substring(ROOFLINE.length(), end), json.required(json.number()));
    } else if (key.startsWith(BOTTLENECK)) {
      bottleneckByColumn.put(key.substring(BOTTLENECK.length()), json.required(bottleneck(json)));
    } else {
      json.skip();
    }
  }

  static String bottleneck(JsonCursor json) throws IOException {
    String name = json.text();
    if (name != null && !name.equals(RooflineBound.COMPUTE) && !name.equals(RooflineBound.MEMORY)) {
      throw json.wrong("is " + name + ", must be compute or memory");
    }
    return name;
  }

  /** The figures, once all that they lean on was read. */
  EfficiencyMetadata metadata(
      ModelProperties tier1, List<EfficiencyReport.Bound> tier2, SystemCard system) {
    // The row has the card without what we know beyond it; the report's own card has all.
    boolean same = card != null && system != null && card.toMap().equals(system.toMap());
    figures.systemCard(same ? system : card);
    if (!latencyByColumn.isEmpty()) {
      figures.roofline(roofline(figures.build(), tier1, tier2));
    }
    return figures.build();
  }

  private Map<String, RooflineBound> roofline(
      EfficiencyMetadata row, ModelProperties tier1, List<EfficiencyReport.Bound> tier2) {
    Map<String, EfficiencyReport.Bound> boundByColumn = new HashMap<>();
    for (EfficiencyReport.Bound bound : tier2) {
      boundByColumn.putIfAbsent(RpxRow.column(bound.gpu()), bound);
    }
    Map<String, RooflineBound> roofline = new LinkedHashMap<>();
    latencyByColumn.forEach(
        (column, latencyMs) -> {
          String bottleneck = bottleneckByColumn.get(column);
          if (bottleneck == null) {
            throw json.wrong("lacks row." + BOTTLENECK + column);
          }
          EfficiencyReport.Bound raw = boundByColumn.get(column);
          String name = raw == null ? column : raw.gpu();
          RooflineBound stored = stored(name, latencyMs, bottleneck);
          RooflineBound again = again(row, tier1, raw);
          boolean agrees =
              again != null
                  && again.latencyMs() == latencyMs
                  && again.bottleneck().equals(bottleneck);
          roofline.put(name, agrees ? again : stored);
        });
    return roofline;
  }

  /** What the row says; the time that is not the bottleneck is not there: NaN, written as null. */
  private static RooflineBound stored(String name, double latencyMs, String bottleneck) {
    boolean compute = bottleneck.equals(RooflineBound.COMPUTE);
    return new RooflineBound(
        name,
        compute ? latencyMs : Double.NaN,
        compute ? Double.NaN : latencyMs,
        latencyMs,
        bottleneck);
  }

  /** The row's bound reckoned again, for the GPU that tier 2's raw bound implies; or null. */
  private static RooflineBound again(
      EfficiencyMetadata row, ModelProperties tier1, EfficiencyReport.Bound raw) {
    if (raw == null || tier1 == null || tier1.flops() == null || tier1.traffic().bytes() == null) {
      return null;
    }
    if (raw.computeMs() == null || raw.memoryMs() == null) {
      return null;
    }
    double tflops = tier1.flops() / 1e9 / raw.computeMs();
    double gbps = tier1.traffic().bytes() / 1e6 / raw.memoryMs();
    boolean known = row.flopsG() != null && row.memoryTrafficGb() != null;
    if (!known || !(tflops > 0 && gbps > 0) || Double.isInfinite(tflops + gbps)) {
      return null;
    }
    GpuSpec gpu = new GpuSpec(raw.gpu(), tflops, gbps, null);
    return RooflineBound.rounded(row.flopsG(), row.memoryTrafficGb(), gpu);
  }

  /** A system card; keys that are not the card's own are its {@code more}. */
  static SystemCard card(JsonCursor json) throws IOException {
    Map<String, Object> own = new HashMap<>();
    Map<String, Object> more = new LinkedHashMap<>();
    json.object(
        key -> {
          switch (key) {
            case "gpu_name",
                "cpu_name",
                "cuda_version",
                "pytorch_version",
                "python_version",
                "precision",
                "input_resolution",
                "os",
                "driver_version" ->
                own.put(key, json.text());
            case "gpu_memory_gb", "ram_gb" -> own.put(key, json.number());
            case "gpu_count" -> own.put(key, json.smallCount(0));
            case "batch_size" -> own.put(key, json.smallCount(1));
            default -> more.put(key, json.anything());
          }
        });
    return new SystemCard(
        (String) own.get("gpu_name"),
        (Double) own.get("gpu_memory_gb"),
        (Integer) own.get("gpu_count"),
        (String) own.get("cpu_name"),
        (Double) own.get("ram_gb"),
        (String) own.get("cuda_version"),
        (String) own.get("pytorch_version"),
        (String) own.get("python_version"),
        (String) own.get("precision"),
        (Integer) own.get("batch_size"),
        (String) own.get("input_resolution"),
        (String) own.get("os"),
        (String) own.get("driver_version"),
        more);
  }
}
