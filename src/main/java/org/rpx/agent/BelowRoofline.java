package org.rpx.agent;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.rpx.agent.report.Warning;
import org.rpx.agent.report.Warning.Code;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier2.GpuSpec;
import org.rpx.agent.tier2.GpuTable;
import org.rpx.agent.tier2.RooflineBound;

/** A measured median below the bound of the very GPU that it was measured on: one is wrong. */
final class BelowRoofline {
  // What drivers' names and the table's differ in; SXM is what a data centre's chip is unless it
  // says otherwise.
  private static final Pattern NOISE =
      Pattern.compile("nvidia|geforce|tesla|quadro|gpu|graphics|sxm\\d*|hbm\\d*e?|\\d+gb");

  private BelowRoofline() {}

  /**
   * The flag; null where the median lies above, or the GPU, its peak or the counts are not known.
   *
   * @param gpuName as the driver has it; may be null
   * @param p50Ms of a forward; may be null
   */
  static Warning of(
      String gpuName, Double p50Ms, ModelProperties properties, List<GpuTable.Row> table) {
    if (gpuName == null || p50Ms == null || properties == null) return null;
    Long flops = properties.flops();
    Long bytes = properties.traffic().bytes();
    GpuTable.Row row = row(gpuName, table);
    GpuSpec spec = row == null ? null : fastest(row, properties.precision());
    if (spec == null || flops == null || bytes == null) return null;
    RooflineBound bound = RooflineBound.of(flops, bytes, spec);
    if (p50Ms >= bound.latencyMs()) return null;
    return new Warning(
        Code.BELOW_ROOFLINE,
        String.format(
            Locale.ROOT,
            "the median of %.4g ms is less than the %.4g ms that %s needs for it at %s (%s): either the timed calls"
                + " do not wait for the device or do less than was counted, or weights stay in its cache between"
                + " calls; compare with --batch, and with a profiler's time of the kernels",
            p50Ms,
            bound.latencyMs(),
            spec.name(),
            spec.precision(),
            bound.bottleneck()));
  }

  /** LibTorch takes TF32 in convolutions of float32 unless it is told not to. */
  private static GpuSpec fastest(GpuTable.Row row, String precision) {
    if (precision == null || !GpuTable.PRECISIONS.contains(precision)) return null;
    GpuSpec own = row.spec(precision).orElse(null);
    return precision.equals("fp32") ? row.spec("tf32").orElse(own) : own;
  }

  /**
   * The row of the same chip: "NVIDIA H100 80GB HBM3" is "H100 SXM", an H100 NVL or a laptop's RTX
   * 4090 is no row's. Null where there is none.
   */
  static GpuTable.Row row(String gpuName, List<GpuTable.Row> table) {
    Set<String> chip = chip(gpuName);
    return table.stream().filter(row -> chip(row.name()).equals(chip)).findFirst().orElse(null);
  }

  private static Set<String> chip(String name) {
    Set<String> words = new HashSet<>();
    for (String word : name.toLowerCase(Locale.ROOT).strip().split("[\\s_-]+"))
      if (!NOISE.matcher(word).matches()) words.add(word);
    return words;
  }
}
