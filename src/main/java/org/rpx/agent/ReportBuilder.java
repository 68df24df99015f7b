package org.rpx.agent;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.rpx.agent.engine.Device;
import org.rpx.agent.engine.Nvidia;
import org.rpx.agent.host.LibraryFacts;
import org.rpx.agent.host.NvidiaFacts;
import org.rpx.agent.host.SystemCard;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Measurement.HostMemory;
import org.rpx.agent.measure.PacedRuns;
import org.rpx.agent.report.EfficiencyBuilder;
import org.rpx.agent.report.EfficiencyMetadata;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.EfficiencyReport.Bound;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.report.EfficiencyReport.Model;
import org.rpx.agent.report.Warning;
import org.rpx.agent.report.Warning.Code;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier2.GpuTable;

/** Puts what was measured and found into a report. */
final class ReportBuilder {
  private static final Path ROOT = Path.of("/");

  private final Plan plan;
  private final ModelProperties properties;
  private final List<Input> inputs;
  private final Findings findings;
  private Measurement measurement;
  private boolean cuda;

  /** {@code properties} are null where the ops are not known. */
  ReportBuilder(Plan plan, List<Input> inputs, ModelProperties properties) {
    this.plan = plan;
    this.properties = properties;
    this.inputs = inputs;
    findings = new Findings(plan, inputs, properties);
  }

  Findings findings() {
    return findings;
  }

  void device(Device device, String countedOnCpu) {
    cuda = device.type().equals("cuda");
    findings.device(device, countedOnCpu);
  }

  void measured(Measurement measurement, int cores) {
    this.measurement = measurement;
    findings.measured(measurement, cores);
  }

  /** A model behind an API: the row with nothing in it. */
  static EfficiencyReport api(ModelSource.Api source, Plan plan) {
    EfficiencyMetadata metadata = EfficiencyMetadata.builder().modelType("api").build();
    return new EfficiencyReport(
        new EfficiencyReport.Model(source.text(), "api", null, null),
        List.of(),
        metadata,
        null,
        List.of(),
        null,
        null,
        List.of(
            new Warning(
                Code.UNAVAILABLE,
                "the model runs behind an API: nothing about it can be counted or timed here")));
  }

  /**
   * Samples in one forward: what the user says, or the first size where the first tensor is an
   * image (N, C, H, W). Elsewhere the first size may as well be time: 1.
   */
  int batch() {
    if (plan.batch() != null) return plan.batch();
    return inputs.stream()
        .filter(i -> !i.shape().isEmpty())
        .findFirst()
        .filter(i -> i.shape().size() == 4)
        .map(i -> (int) Math.max(1, Math.min(Integer.MAX_VALUE, i.shape().get(0))))
        .orElse(1);
  }

  /**
   * What the memory's high waters are to be seen beside.
   *
   * @param weightBytes in the host's memory; null where they lie elsewhere
   * @param heapBytes of the JVM; null where it does not tell
   * @param looked whether it was asked
   */
  HostMemory memory(Long weightBytes, Long heapBytes, boolean looked) {
    Long least = properties == null ? null : properties.activations().livenessPeakBytes();
    String noHeap =
        looked ? "this JVM does not tell" : "looked at in timed runs of 0.25 s and more";
    return new HostMemory(
        DeviceTiming.mib(weightBytes),
        DeviceTiming.mib(least),
        DeviceTiming.mib(heapBytes),
        heapBytes == null ? noHeap : null);
  }

  /**
   * The report.
   *
   * @param libtorch facts of the LibTorch that ran; empty where none was needed
   */
  EfficiencyReport build(Model model, Map<String, String> libtorch) {
    findings.counted();
    List<Bound> bounds = properties == null ? List.of() : Tier2.bounds(properties, plan.gpus());
    findings.unbounded(bounds);
    String precision = properties == null ? null : properties.precision();
    SystemCard card =
        SystemCard.detect(
                ROOT, new LibraryFacts(libtorch, precision, batch(), resolution()), nvidia())
            .build();
    if (measurement != null && cuda) findings.add(belowRoofline(card));
    EfficiencyMetadata row = metadata(card);
    return new EfficiencyReport(
        model, inputs, row, properties, bounds, measurement, card, findings.all());
  }

  /** On a GPU of the table a median has to lie above its bound. */
  private Warning belowRoofline(SystemCard card) {
    return BelowRoofline.of(
        card.gpuName(), measurement.percentileMs(50), properties, GpuTable.reference().rows());
  }

  /** Asked only where a CUDA device took part: it takes its time, and sets the device up. */
  private NvidiaFacts nvidia() {
    return cuda ? NvidiaFacts.of(Nvidia.management(), Nvidia.runtime()) : NvidiaFacts.NONE;
  }

  /** The row has one word for latency: that of a program that runs on, and keeps up. */
  private static String unlikeRow(Measurement measured) {
    if (measured.course().loop().flushedBytes() != null)
      return "which has no word for cold caches; tier3 has it";
    PacedRuns paced = measured.paced();
    return paced != null && paced.overloaded()
        ? "since it only tells how long an overload was measured; tier3 has it"
        : null;
  }

  private EfficiencyMetadata metadata(SystemCard card) {
    EfficiencyBuilder row = EfficiencyMetadata.builder().systemCard(card);
    if (properties != null)
      row.params(properties.params())
          .flops(properties.flops())
          .trafficBytes(properties.traffic().bytes())
          .actmemFp16Bytes(properties.activations().livenessPeakFp16Bytes());
    String unlike = measurement == null ? null : unlikeRow(measurement);
    if (unlike != null) findings.warn(Code.UNAVAILABLE, "row: latency is left out, " + unlike);
    if (measurement != null && measurement.samples().count() > 0) {
      if (unlike == null) {
        double p50 = measurement.percentileMs(50);
        row.latencies(p50, measurement.percentileMs(95), measurement.percentileMs(99));
        row.latencyMsPerSample(Tier2.perSample(p50, measurement.batch()));
      }
      row.peakCpuMb(Tier2.thousandths(measurement.peak().cpuRssMb()));
      row.peakCudaMb(Tier2.thousandths(measurement.peak().cudaMb()));
      row.peakMpsMb(Tier2.thousandths(measurement.peak().mpsMb()));
    }
    if (properties == null) return row.build();
    return row.build().withRoofline(Tier2.specs(properties.precision(), plan.gpus()));
  }

  /** "WxH" of the first image-like input; null where there is none. */
  private String resolution() {
    return inputs.stream()
        .map(Input::shape)
        .filter(s -> s.size() == 4)
        .findFirst()
        .map(s -> s.get(3) + "x" + s.get(2))
        .orElse(null);
  }
}
