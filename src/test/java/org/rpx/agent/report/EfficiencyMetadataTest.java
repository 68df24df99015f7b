package org.rpx.agent.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.host.SystemCard;
import org.rpx.agent.tier2.GpuSpec;
import org.rpx.agent.tier2.GpuTable;
import org.rpx.agent.tier2.RooflineBound;

/** The expected figures are those that rpx_benchmark 0.3.7 gives for the same input. */
class EfficiencyMetadataTest {
  private static final List<GpuSpec> THREE =
      GpuTable.defaults().stream().map(row -> row.spec("fp32").orElseThrow()).toList();

  @ParameterizedTest
  @CsvSource({"100, 50.0", "0.125, 0.062", "0, 0.0"})
  void derivesMacsAsHalfTheFlops(double flopsG, double macsG) {
    assertThat(builder().flopsG(flopsG).build().derive().macsG()).isEqualTo(macsG);
  }

  @ParameterizedTest
  @CsvSource({
    "100, 100, 1.2, 83.33",
    "50, 300, 3.6, 13.89",
    "50, 100, 1.2, 41.67",
    "10, 50, 0.6, 16.67"
  })
  void derivesTrafficAndIntensity(
      double flopsG, double paramsM, double trafficGb, double intensity) {
    EfficiencyMetadata derived = builder().flopsG(flopsG).paramsM(paramsM).build().derive();

    assertThat(derived.memoryTrafficGb()).isEqualTo(trafficGb);
    assertThat(derived.arithmeticIntensity()).isEqualTo(intensity);
  }

  @Test
  void keepsWhatWasGiven() {
    EfficiencyMetadata given = builder().flopsG(100.0).paramsM(100.0).memoryTrafficGb(2.5).build();
    assertThat(given.derive().memoryTrafficGb()).isEqualTo(2.5);
    assertThat(given.derive().arithmeticIntensity()).isEqualTo(40.0);

    assertThat(given.toBuilder().macsG(42.0).build().derive().macsG()).isEqualTo(42.0);
    assertThat(given.toBuilder().arithmeticIntensity(7.0).build().derive().arithmeticIntensity())
        .isEqualTo(7.0);
  }

  @Test
  void derivesNothingFromNothing() {
    EfficiencyMetadata nothing = builder().build();
    assertThat(nothing.derive()).isEqualTo(nothing);

    EfficiencyMetadata flopsOnly = builder().flopsG(1.0).build().derive();
    assertThat(flopsOnly.memoryTrafficGb()).isNull();
    assertThat(flopsOnly.arithmeticIntensity()).isNull();
  }

  /** 1000 parameters round to 0.001 M and their 12 kB to 0.0 GB: there is no intensity to tell. */
  @Test
  void givesNoIntensityForTrafficThatRoundsToZero() {
    EfficiencyMetadata tiny = builder().flopsG(0.001).params(1000).build().derive();

    assertThat(tiny.memoryTrafficGb()).isZero();
    assertThat(tiny.arithmeticIntensity()).isNull();
  }

  @Test
  void boundsTheReferenceGpus() {
    assertThat(bounds(50, 300))
        .containsExactly(
            "A100-80GB 2.5641 compute",
            "RTX 4090 3.5714 memory",
            "Jetson Orin 64GB 17.5781 memory");
    assertThat(bounds(50, 100))
        .containsExactly(
            "A100-80GB 2.5641 compute", "RTX 4090 1.1905 memory", "Jetson Orin 64GB 9.434 compute");
    assertThat(bounds(10, 50))
        .containsExactly(
            "A100-80GB 0.5128 compute", "RTX 4090 0.5952 memory", "Jetson Orin 64GB 2.9297 memory");
    assertThat(bounds(100, 100))
        .containsExactly(
            "A100-80GB 5.1282 compute",
            "RTX 4090 1.2107 compute",
            "Jetson Orin 64GB 18.8679 compute");
  }

  @Test
  void boundsACustomGpu() {
    assertThat(
            builder()
                .flopsG(10.0)
                .paramsM(50.0)
                .build()
                .withRoofline(List.of(new GpuSpec("Custom", 5, 500, 8.0)))
                .roofline())
        .containsExactly(
            Map.entry("Custom", new RooflineBound("Custom", 2.0, 1.2, 2.0, "compute")));
  }

  @Test
  void boundsNothingWithoutFlopsOrTraffic() {
    assertThat(builder().paramsM(100.0).build().withRoofline(THREE).roofline()).isEmpty();
    assertThat(builder().flopsG(100.0).build().withRoofline(THREE).roofline()).isEmpty();
  }

  @Test
  void refusesGpusThatShareAColumn() {
    EfficiencyMetadata figures = builder().flopsG(1.0).paramsM(1.0).build();
    List<GpuSpec> clash =
        List.of(new GpuSpec("My-GPU", 1, 1, null), new GpuSpec("my gpu", 2, 1, null, "fp16"));

    assertThatThrownBy(() -> figures.withRoofline(clash))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'My-GPU' and 'my gpu'")
        .hasMessageContaining("roofline_my_gpu_ms");
  }

  @Test
  void writesTheTableRowInOrder() {
    SystemCard card = SystemCard.builder().gpuName("A100").more("governor", "powersave").build();
    EfficiencyMetadata figures = full().systemCard(card).build().withRoofline(THREE);
    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("type", "local");
    expected.put("params_m", 300.0);
    expected.put("flops_g", 50.0);
    expected.put("macs_g", 25.0);
    expected.put("memory_traffic_gb", 3.6);
    expected.put("arithmetic_intensity", 13.89);
    expected.put("actmem_gb_fp16", 0.5);
    expected.put("latency_ms_per_sample", 30.0);
    expected.put("latency_p50_ms", 30.0);
    expected.put("latency_p95_ms", 48.0);
    expected.put("latency_p99_ms", 49.6);
    expected.put("peak_cpu_mb", 100.0);
    expected.put("peak_cuda_mb", 200.0);
    expected.put("peak_mps_mb", null);
    expected.put("roofline_a100_80gb_ms", 2.5641);
    expected.put("bottleneck_a100_80gb", "compute");
    expected.put("roofline_rtx_4090_ms", 3.5714);
    expected.put("bottleneck_rtx_4090", "memory");
    expected.put("roofline_jetson_orin_64gb_ms", 17.5781);
    expected.put("bottleneck_jetson_orin_64gb", "memory");
    expected.put("system_card", card.toMap());

    assertThat(figures.toTableRow().entrySet()).containsExactlyElementsOf(expected.entrySet());
  }

  @Test
  void writesNullForTheUnknownOfALocalModel() {
    Map<String, Object> row = builder().build().toTableRow();

    assertThat(row.keySet())
        .containsExactly(
            "type",
            "params_m",
            "flops_g",
            "macs_g",
            "memory_traffic_gb",
            "arithmetic_intensity",
            "actmem_gb_fp16",
            "latency_ms_per_sample",
            "latency_p50_ms",
            "latency_p95_ms",
            "latency_p99_ms",
            "peak_cpu_mb",
            "peak_cuda_mb",
            "peak_mps_mb");
    assertThat(row.values().stream().skip(1)).containsOnlyNulls();
  }

  @Test
  void writesNotApplicableForAnApiModel() {
    Map<String, Object> row = builder().modelType("api").latencyP50Ms(5.0).build().toTableRow();

    assertThat(row)
        .containsEntry("type", "api")
        .containsEntry("params_m", "N/A (API)")
        .containsEntry("flops_g", "N/A (API)")
        .containsEntry("macs_g", "N/A (API)")
        .containsEntry("memory_traffic_gb", null)
        .containsEntry("latency_p50_ms", 5.0)
        .containsEntry("latency_p95_ms", null);
    assertThat(builder().modelType("api").paramsM(7.0).build().toTableRow())
        .containsEntry("params_m", 7.0)
        .containsEntry("flops_g", "N/A (API)");
  }

  @Test
  void writesTheComputeCostInOrder() {
    SystemCard card = SystemCard.builder().gpuName("A100").build();
    EfficiencyMetadata figures = full().systemCard(card).build().withRoofline(THREE.subList(0, 1));
    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("params_m", 300.0);
    expected.put("flops_g", 50.0);
    expected.put("macs_g", 25.0);
    expected.put("actmem_gb_fp16", 0.5);
    expected.put("memory_traffic_gb", 3.6);
    expected.put("arithmetic_intensity", 13.89);
    // 1000 x 3.6 / 2039 = 1.76557 ms
    expected.put(
        "roofline",
        Map.of(
            "A100-80GB",
            Map.of(
                "compute_ms", 2.5641,
                "memory_ms", 1.7656,
                "latency_ms", 2.5641,
                "bottleneck", "compute")));
    expected.put("latency_ms_per_sample", 30.0);
    expected.put("peak_memory_mb", 200.0);
    expected.put("system_card", card.toMap());

    assertThat(figures.toComputeCost().entrySet()).containsExactlyElementsOf(expected.entrySet());
    Map<?, ?> roofline = (Map<?, ?>) figures.toComputeCost().get("roofline");
    assertThat(((Map<?, ?>) roofline.get("A100-80GB")).keySet().toString())
        .isEqualTo("[compute_ms, memory_ms, latency_ms, bottleneck]");
  }

  @Test
  void writesNullForTheUnknownCost() {
    Map<String, Object> cost = builder().build().withRoofline(THREE).toComputeCost();

    assertThat(cost).hasSize(10);
    assertThat(cost.values()).containsOnlyNulls();
    assertThat(builder().latencyP50Ms(5.0).build().toComputeCost())
        .containsEntry("latency_ms_per_sample", 5.0);
  }

  /** The ties are exact in binary: 62 500 of 10^6 is 0.0625, 65 536 bytes are 0.0625 MiB. */
  @Test
  void roundsCountsAndBytesAsRpxBenchmarkDoes() {
    EfficiencyMetadata figures =
        builder()
            .params(62_500)
            .flops(8_178_437_120L)
            .trafficBytes(31_250)
            .actmemFp16Bytes(123_456_789)
            .peakCpuBytes(65_536)
            .peakCudaBytes(1_048_577)
            .peakMpsBytes(3L << 30)
            .latencies(0.0625, 1.0005, 2.0)
            .build();

    assertThat(figures.paramsM()).isEqualTo(0.062);
    assertThat(figures.flopsG()).isEqualTo(8.178);
    assertThat(figures.memoryTrafficGb()).isZero();
    assertThat(figures.actmemGbFp16()).isEqualTo(0.1235);
    assertThat(figures.peakCpuMb()).isEqualTo(0.062);
    assertThat(figures.peakCudaMb()).isEqualTo(1.0);
    assertThat(figures.peakMpsMb()).isEqualTo(3072.0);
    assertThat(figures.latencyP50Ms()).isEqualTo(0.062);
    assertThat(figures.latencyMsPerSample()).isEqualTo(0.062);
    assertThat(figures.latencyP95Ms()).isEqualTo(1.0);
    assertThat(figures.latencyP99Ms()).isEqualTo(2.0);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesWhatIsNoFigure(double value) {
    EfficiencyBuilder flops = builder().flopsG(value);
    EfficiencyBuilder peak = builder().peakMpsMb(value);

    assertThatThrownBy(flops::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("flops_g must be")
        .hasMessageContaining("use null if unknown");
    assertThatThrownBy(peak::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("peak_mps_mb must be");
  }

  @Test
  void refusesAnUnknownType() {
    EfficiencyBuilder remote = builder().modelType("remote");

    assertThatThrownBy(remote::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'remote'");
  }

  @Test
  void aBuilderTakenFromItHoldsEverything() {
    EfficiencyMetadata figures =
        full()
            .notes("fp16 weights")
            .peakMpsMb(3.0)
            .systemCard(SystemCard.builder().build())
            .build()
            .withRoofline(THREE);

    assertThat(figures).hasNoNullFieldsOrProperties();
    assertThat(figures.toBuilder().build()).isEqualTo(figures);
  }

  private static EfficiencyBuilder builder() {
    return EfficiencyMetadata.builder();
  }

  private static EfficiencyBuilder full() {
    return builder()
        .paramsM(300.0)
        .flopsG(50.0)
        .actmemGbFp16(0.5)
        .peakCpuMb(100.0)
        .peakCudaMb(200.0)
        .latencies(30, 48.0, 49.6);
  }

  private static List<String> bounds(double flopsG, double paramsM) {
    return builder()
        .flopsG(flopsG)
        .paramsM(paramsM)
        .build()
        .withRoofline(THREE)
        .roofline()
        .entrySet()
        .stream()
        .map(e -> e.getKey() + " " + e.getValue().latencyMs() + " " + e.getValue().bottleneck())
        .toList();
  }
}
