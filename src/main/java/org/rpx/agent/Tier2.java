package org.rpx.agent;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.EfficiencyReport.Bound;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier2.GpuSpec;
import org.rpx.agent.tier2.GpuTable;
import org.rpx.agent.tier2.OpRoofline;
import org.rpx.agent.tier2.RooflineBound;
import org.rpx.agent.tier2.Rounding;

/** Tier 2 of a report, from its tier 1. */
final class Tier2 {
  private Tier2() {}

  /** The same report with other GPUs. Throws IllegalArgumentException where it has no tier 1. */
  static EfficiencyReport again(EfficiencyReport report, List<GpuTable.Row> gpus) {
    ModelProperties properties = report.tier1();
    if (properties == null)
      throw new IllegalArgumentException(
          "the report has no tier 1"
              + (report.metadata().modelType().equals("api")
                  ? ": it is of an API model"
                  : ", for the reason in its warnings"));
    return new EfficiencyReport(
        report.model(),
        report.inputs(),
        report.metadata().withRoofline(specs(properties.precision(), gpus)),
        properties,
        bounds(properties, gpus),
        report.tier3(),
        report.system(),
        report.warnings());
  }

  static List<Bound> bounds(ModelProperties properties, List<GpuTable.Row> gpus) {
    return gpus.stream().map(gpu -> bound(properties, gpu)).toList();
  }

  private static Bound bound(ModelProperties properties, GpuTable.Row gpu) {
    String precision = properties.precision();
    OpRoofline byOp =
        properties.ops() == null ? null : OpRoofline.of(properties.ops(), gpu).orElse(null);
    Double byOpMs = byOp == null ? null : byOp.totalMs();
    Map<String, Double> shares = byOp == null ? null : byOp.shareByOp();
    Optional<GpuSpec> spec = spec(gpu, precision);
    Long bytes = properties.traffic().bytes();
    if (spec.isEmpty() || properties.flops() == null || bytes == null)
      return new Bound(gpu.name(), precision, null, null, null, null, byOpMs, shares);
    RooflineBound bound = RooflineBound.of(properties.flops(), bytes, spec.get());
    return new Bound(
        gpu.name(),
        precision,
        bound.computeMs(),
        bound.memoryMs(),
        bound.latencyMs(),
        bound.bottleneck(),
        byOpMs,
        shares);
  }

  static List<GpuSpec> specs(String precision, List<GpuTable.Row> gpus) {
    return gpus.stream().flatMap(gpu -> spec(gpu, precision).stream()).toList();
  }

  private static Optional<GpuSpec> spec(GpuTable.Row gpu, String precision) {
    return precision == null || !GpuTable.PRECISIONS.contains(precision)
        ? Optional.empty()
        : gpu.spec(precision);
  }

  static Double perSample(double p50Ms, int batch) {
    return thousandths(p50Ms / batch);
  }

  static Double thousandths(Double value) {
    return value == null ? null : Rounding.halfEven(value, 3);
  }
}
