package org.rpx.agent.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.host.SystemCard;
import org.rpx.agent.tier2.GpuSpec;
import org.rpx.agent.tier2.RooflineBound;
import org.rpx.agent.tier2.Rounding;

/**
 * The figures of one model as {@code rpx_benchmark.profiler.EfficiencyMetadata} holds them, rounded
 * as it rounds, so that whatever reads its rows reads ours. Null is unknown. Raw counts live
 * elsewhere: a tiny model's row rounds to 0.
 *
 * @param paramsM parameters in 10<sup>6</sup>
 * @param flopsG floating-point operations of one forward pass in 10<sup>9</sup>
 * @param macsG multiply-accumulates in 10<sup>9</sup>: half of the FLOPs
 * @param actmemGbFp16 peak activation memory at 2 bytes an element, in 10<sup>9</sup> bytes
 * @param memoryTrafficGb memory traffic of one forward pass in 10<sup>9</sup> bytes
 * @param arithmeticIntensity FLOPs a byte of traffic
 * @param latencyMsPerSample median milliseconds a sample
 * @param modelType {@code local}, or {@code api} for a model whose inside cannot be seen
 * @param notes free text; empty by default
 * @param roofline lower bounds by GPU name in the order asked for; null where never asked for
 * @param peakCpuMb peak host memory in MiB
 * @param peakCudaMb peak memory of a CUDA device in MiB
 * @param peakMpsMb peak memory of an Apple GPU in MiB
 * @param latencyP50Ms median of the measured latencies in milliseconds
 * @param latencyP95Ms their 95th percentile in milliseconds
 * @param latencyP99Ms their 99th percentile in milliseconds
 * @param systemCard what they were measured on
 */
public record EfficiencyMetadata(
    Double paramsM,
    Double flopsG,
    Double macsG,
    Double actmemGbFp16,
    Double memoryTrafficGb,
    Double arithmeticIntensity,
    Double latencyMsPerSample,
    String modelType,
    String notes,
    Map<String, RooflineBound> roofline,
    Double peakCpuMb,
    Double peakCudaMb,
    Double peakMpsMb,
    Double latencyP50Ms,
    Double latencyP95Ms,
    Double latencyP99Ms,
    SystemCard systemCard) {

  static final String LOCAL = "local";
  static final String API = "api";

  /**
   * Copies {@code roofline} and checks the figures.
   *
   * @throws IllegalArgumentException if a figure is negative or not finite, or the model's type is
   *     neither {@code local} nor {@code api}
   */
  public EfficiencyMetadata {
    requireFigure("params_m", paramsM);
    requireFigure("flops_g", flopsG);
    requireFigure("macs_g", macsG);
    requireFigure("actmem_gb_fp16", actmemGbFp16);
    requireFigure("memory_traffic_gb", memoryTrafficGb);
    requireFigure("arithmetic_intensity", arithmeticIntensity);
    requireFigure("latency_ms_per_sample", latencyMsPerSample);
    requireFigure("peak_cpu_mb", peakCpuMb);
    requireFigure("peak_cuda_mb", peakCudaMb);
    requireFigure("peak_mps_mb", peakMpsMb);
    requireFigure("latency_p50_ms", latencyP50Ms);
    requireFigure("latency_p95_ms", latencyP95Ms);
    requireFigure("latency_p99_ms", latencyP99Ms);
    if (!LOCAL.equals(modelType) && !API.equals(modelType)) {
      throw new IllegalArgumentException(
          "modelType must be 'local' or 'api', was '" + modelType + "'");
    }
    if (roofline != null) {
      roofline = Collections.unmodifiableMap(new LinkedHashMap<>(roofline));
    }
  }

  /** A builder of a local model of which nothing is known. */
  public static EfficiencyBuilder builder() {
    return new EfficiencyBuilder();
  }

  /**
   * This, with what follows from it filled in: {@code macs_g = round(flops_g / 2, 3)}; traffic,
   * where none was given, three times the parameters at 4 bytes, {@code round(params_m * 1e6 * 12 /
   * 1e9, 4)}; intensity {@code round(flops / bytes, 2)} where traffic is above 0. What is there
   * already is kept.
   */
  public EfficiencyMetadata derive() {
    EfficiencyBuilder next = toBuilder();
    if (macsG == null && flopsG != null) {
      next.macsG(Rounding.halfEven(flopsG / 2.0, 3));
    }
    // The products below stand in rpx_benchmark's order, so that a tie falls on the same side.
    Double traffic = memoryTrafficGb;
    if (traffic == null && paramsM != null) {
      traffic = Rounding.halfEven(paramsM * 1e6 * 4 * 3 / 1e9, 4);
      next.memoryTrafficGb(traffic);
    }
    if (arithmeticIntensity == null && flopsG != null && traffic != null && traffic > 0) {
      next.arithmeticIntensity(Rounding.halfEven(flopsG * 1e9 / (traffic * 1e9), 2));
    }
    return next.build();
  }

  /**
   * {@link #derive()}, with a rounded bound for each GPU; none where FLOPs or traffic are unknown.
   *
   * @throws IllegalArgumentException if two GPUs would share one column of the row
   */
  public EfficiencyMetadata withRoofline(List<GpuSpec> gpus) {
    EfficiencyMetadata derived = derive();
    Map<String, RooflineBound> bounds = new LinkedHashMap<>();
    if (derived.flopsG != null && derived.memoryTrafficGb != null) {
      Map<String, String> nameOfColumn = new LinkedHashMap<>();
      for (GpuSpec gpu : gpus) {
        String other = nameOfColumn.putIfAbsent(RpxRow.column(gpu.name()), gpu.name());
        if (other != null) {
          throw new IllegalArgumentException(
              "GPUs '"
                  + other
                  + "' and '"
                  + gpu.name()
                  + "' share the column roofline_"
                  + RpxRow.column(other)
                  + "_ms; rename one, or ask for one precision at a time");
        }
        bounds.put(gpu.name(), RooflineBound.rounded(derived.flopsG, derived.memoryTrafficGb, gpu));
      }
    }
    return derived.toBuilder().roofline(bounds).build();
  }

  /**
   * The row of {@code to_table_row}: its keys in its order. Unknown is null, save that params,
   * FLOPs and MACs of an {@code api} model read "N/A (API)"; without a card there is no {@code
   * system_card} key, as there.
   */
  public Map<String, Object> toTableRow() {
    return RpxRow.tableRow(this);
  }

  /**
   * The {@code compute_cost} block of an {@code rpx_benchmark} result file: its keys in its order,
   * save {@code operating_point}, which needs the model's accuracy. The latency is the median; the
   * peak is the largest of the backends; without bounds {@code roofline} is null, as there.
   */
  public Map<String, Object> toComputeCost() {
    return RpxRow.computeCost(this);
  }

  private static void requireFigure(String key, Double value) {
    if (value != null && !(Double.isFinite(value) && value >= 0)) {
      throw new IllegalArgumentException(
          key + " must be a finite number of 0 or more, was " + value + "; use null if unknown");
    }
  }

  /** A builder that holds what this holds. */
  public EfficiencyBuilder toBuilder() {
    return new EfficiencyBuilder(this);
  }
}
