package org.rpx.agent.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.host.SystemCard;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.tier1.ActivationMemory;
import org.rpx.agent.tier1.MemoryTraffic;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier1.ModuleCost;
import org.rpx.agent.tier1.OpGroup;
import org.rpx.agent.tier1.TrafficModel;
import org.rpx.agent.tier2.GpuSpec;

/** Reports whose figures can be checked in the head. */
final class Reports {
  private static final GpuSpec GPU = new GpuSpec("Fast-GPU 80GB", 20, 2000, 80.0);
  private static final SystemCard CARD =
      SystemCard.builder()
          .cpuName("Test CPU, 3.5 GHz")
          .ramGb(15.6)
          .cudaVersion(null)
          .pytorchVersion("2.10.0")
          .pythonVersion(null)
          .batchSize(2)
          .inputResolution("64x48")
          .os("Linux 6.1")
          .more("cores_online", 4)
          .more("load", List.of(0.5, Double.NaN))
          .build();

  private Reports() {}

  /** 1.5 M parameters, 2 GFLOP, 8 MB; 1 to 5 ms in no order. */
  static EfficiencyReport full() {
    return new EfficiencyReport(
        new EfficiencyReport.Model("models/net.pt", "torchscript", 6_012_345L, "ab12"),
        List.of(
            new EfficiencyReport.Input(
                "image", List.of(2L, 3L, 48L, 64L), "float32", "seeded uniform"),
            new EfficiencyReport.Input("scale", List.of(), "float32", "fill 0.5")),
        metadata(),
        tier1(true),
        List.of(
            new EfficiencyReport.Bound(
                "Fast-GPU 80GB",
                "fp32",
                0.1,
                0.004,
                0.1,
                "compute",
                0.1005,
                Map.of("aten::conv2d", 1.0)),
            new EfficiencyReport.Bound("Old_GPU", "bf16", null, null, null, null, null, null)),
        tier3(2_000_000, 4_000_000, 3_000_000, 1_000_000, 5_000_000),
        CARD,
        List.of(new Warning(Warning.Code.OVERSUBSCRIBED, "2 threads on 1 core; use fewer")));
  }

  /** {@link #full()} of other tiers. */
  static EfficiencyReport with(ModelProperties tier1, Measurement tier3) {
    EfficiencyReport full = full();
    return new EfficiencyReport(
        full.model(),
        full.inputs(),
        full.metadata(),
        tier1,
        full.tier2(),
        tier3,
        full.system(),
        full.warnings());
  }

  /** {@link #full()} with other texts, for what has to be escaped. */
  static EfficiencyReport named(String path, String warning) {
    EfficiencyReport full = full();
    return new EfficiencyReport(
        new EfficiencyReport.Model(path, "torchscript", 1L, null),
        full.inputs(),
        full.metadata(),
        full.tier1(),
        full.tier2(),
        full.tier3(),
        full.system(),
        List.of(new Warning(Warning.Code.UNAVAILABLE, warning)));
  }

  /** A remote model, of which only its name is known. */
  static EfficiencyReport api() {
    return new EfficiencyReport(
        new EfficiencyReport.Model("vendor/model-1", "api", null, null),
        List.of(),
        EfficiencyMetadata.builder().modelType("api").build(),
        null,
        List.of(),
        null,
        null,
        List.of());
  }

  static ModelProperties tier1(boolean complete) {
    List<OpGroup> ops = new ArrayList<>();
    ops.add(new OpGroup("aten::conv2d", "float32", 3, 1_500_000_000L, 6_000_000L));
    ops.add(new OpGroup("aten::relu_", "float32", 1, 0L, 1_000_000L));
    ops.add(new OpGroup("aten::linear", "float32", 1, 500_000_000L, 2_500_000L));
    if (!complete) ops.add(new OpGroup("aten::fft_fft2", "float32", 3, null, 500_000L));
    return new ModelProperties(
        1_500_000L,
        1_000_000L,
        250L,
        ops,
        List.of(
            new ModuleCost("", 5, 2_000_000_000L, 9_500_000),
            new ModuleCost("stem", 4, 1_500_000_000L, 7_000_000),
            new ModuleCost("stem.0", 3, 1_500_000_000L, 6_000_000L),
            new ModuleCost("head", 1, 500_000_000L, 2_500_000)),
        null,
        new MemoryTraffic(8_000_000L, 9_000_000L, 9_500_000L, 18_000_000L, TrafficModel.COMPULSORY),
        new ActivationMemory(400_000L, 200_000L, 700_000L, "aten::relu_", "stem"),
        "fp32");
  }

  /** Tier 1 of which next to nothing is known. */
  static ModelProperties unknown(List<OpGroup> ops) {
    return new ModelProperties(
        null,
        null,
        null,
        ops,
        List.of(),
        null,
        new MemoryTraffic(1L, null, 1L, null, TrafficModel.COMPULSORY),
        new ActivationMemory(1L, 1L, 1L, null, null),
        null);
  }

  static Measurement tier3(long... durationsNs) {
    long[] startsNs = new long[durationsNs.length];
    for (int i = 1; i < startsNs.length; i++) {
      startsNs[i] = startsNs[i - 1] + durationsNs[i - 1];
    }
    Map<String, Double> tried = new LinkedHashMap<>();
    tried.put("2x1", 3.25);
    tried.put("1x1", 5.5);
    return new Measurement(
        "cpu",
        120.25,
        45.0,
        12,
        new Samples(startsNs, durationsNs, durationsNs.length),
        2,
        new Measurement.Threads(2, 1, tried),
        new Measurement.Peak(512.5, 24.0, null, null));
  }

  private static EfficiencyMetadata metadata() {
    return EfficiencyMetadata.builder()
        .params(1_500_000)
        .flops(2_000_000_000)
        .trafficBytes(8_000_000)
        .latencies(3.0, 4.8, 4.96)
        .peakCpuMb(512.5)
        .systemCard(CARD)
        .build()
        .withRoofline(List.of(GPU));
  }
}
