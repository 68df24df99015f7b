package org.rpx.agent;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.rpx.agent.engine.Device;
import org.rpx.agent.engine.Nvidia;
import org.rpx.agent.host.LibraryFacts;
import org.rpx.agent.host.Load;
import org.rpx.agent.host.MachineFlag;
import org.rpx.agent.host.MachineFlags;
import org.rpx.agent.host.NvidiaFacts;
import org.rpx.agent.host.SystemCard;
import org.rpx.agent.host.SystemCards;
import org.rpx.agent.host.TelemetrySummary;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Measurement.HostMemory;
import org.rpx.agent.measure.PacedRuns;
import org.rpx.agent.report.EfficiencyMetadata;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.EfficiencyReport.Bound;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.report.EfficiencyReport.Model;
import org.rpx.agent.report.Warning;
import org.rpx.agent.report.Warning.Code;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier1.OpGroup;
import org.rpx.agent.tier2.GpuTable;

/** Puts what was found into a report, and says what a reader has to know about it. */
final class ReportBuilder {
  private static final Path ROOT = Path.of("/");
  // Samples below which a 99th percentile has no 95 % upper confidence bound.
  private static final double CONTENDED_SHARE = 0.1;
  private static final int MOST_NAMED = 20;
  // As trtexec warns.
  private static final double HOST_BOUND_SHARE = 0.8;

  private final Plan plan;
  private final ModelProperties properties;
  private final List<Input> inputs;
  private final List<Warning> warnings = new ArrayList<>();
  private Measurement measurement;
  private boolean cuda;
  private Load load;
  private Measurement.Threads threads;

  /** {@code properties} are null where the ops are not known: {@link #uncounted} says why. */
  ReportBuilder(Plan plan, List<Input> inputs, ModelProperties properties) {
    this.plan = plan;
    this.properties = properties;
    this.inputs = inputs;
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

  void contention(Load load, Measurement.Threads threads) {
    this.load = load;
    this.threads = threads;
  }

  /** What the machine did during the timed runs. */
  void machine(TelemetrySummary seen, Measurement.Threads threads) {
    for (MachineFlag flag : MachineFlags.of(seen, Math.max(threads.operators(), threads.blas())))
      warn(Code.valueOf(flag.code().name()), flag.message());
  }

  /** Where it ran, if that is not what the plan says in so many words. */
  void device(Device device, String countedOnCpu) {
    cuda = device.type().equals("cuda");
    if (device.reason() != null)
      warn(
          Code.UNAVAILABLE,
          "device: auto found no accelerator (" + device.reason() + "): the CPU was taken");
    if (countedOnCpu != null)
      warn(
          Code.COUNTED_ON_CPU,
          "the count was made on the CPU, where it is the same: the device could not make it ("
              + countedOnCpu
              + ")");
  }

  /** On a GPU of the table a median has to lie above its bound. */
  private void belowRoofline(SystemCard card) {
    if (measurement == null || !cuda) return;
    Warning flag =
        BelowRoofline.of(
            card.gpuName(), measurement.percentileMs(50), properties, GpuTable.reference().rows());
    if (flag != null) warnings.add(flag);
  }

  /** What the first run's inputs and outputs hold; null where that is nothing to speak of. */
  void denormals(Warning flag) {
    if (flag != null) warnings.add(flag);
  }

  /** That the timed runs are not alike; null where they are. */
  void mixed(Warning flag) {
    if (flag != null) warnings.add(flag);
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

  void noResidentPeak() {
    warn(
        Code.UNAVAILABLE,
        "cpu_rss_mb: this platform cannot reset the resident high water, so that a peak of this"
            + " measurement is not known");
  }

  void unknownCache(long flushed) {
    warn(
        Code.UNAVAILABLE,
        "this machine does not tell the size of its last-level cache: "
            + (flushed >> 20)
            + " MiB were written over before each run, a guess");
  }

  void measured(Measurement measurement, int cores) {
    this.measurement = measurement;
    if (load != null && load.othersCores() != null) {
      double others = load.othersCores() + (load.stealCores() == null ? 0 : load.stealCores());
      if (others > CONTENDED_SHARE * cores) {
        warn(
            Code.OVERSUBSCRIBED,
            String.format(
                Locale.ROOT,
                "the machine was contended: other processes kept %.1f of %d cores busy during the"
                    + " measurement; %d operator and %d BLAS threads were taken; stop them, or pin"
                    + " this process to cores of its own",
                others,
                cores,
                threads.operators(),
                Math.max(1, threads.blas())));
      }
    }
    hostBound();
    Flags.of(measurement).forEach(warnings::add);
  }

  private void hostBound() {
    if (measurement.deviceTimes() == null || measurement.samples().count() == 0) return;
    Double enqueue = measurement.deviceTimes().enqueueMs(50);
    double device = measurement.statistics().percentile(50) / 1e6;
    if (enqueue != null && enqueue > HOST_BOUND_SHARE * device)
      warn(
          Code.HOST_BOUND,
          String.format(
              Locale.ROOT,
              "enqueueing takes %.0f %% of the device's time: it waits for the host, so that its"
                  + " time says little of a faster host or a compiled model; use a larger batch, or"
                  + " compile the model",
              100 * enqueue / device));
  }

  void defaultInput() {
    if (plan.inputs().isEmpty() && !inputs.isEmpty()) {
      Input only = inputs.get(0);
      String shape = only.shape().stream().map(String::valueOf).collect(Collectors.joining("x"));
      warn(
          Code.DEFAULT_INPUT,
          "no --input was given: one " + only.dtype() + " " + shape + " tensor was used");
    }
  }

  /** No tier 1, and why. */
  void uncounted(String reason) {
    warn(Code.UNAVAILABLE, Warning.NO_TIER1 + reason);
  }

  /** Products of an exported graph that lead to no output. */
  void dead(int products) {
    if (products > 0)
      warn(
          Code.DEAD_CODE,
          products
              + (products == 1 ? " product of the graph leads" : " products of the graph lead")
              + " to no output: an executor drops it, and it is not counted");
  }

  /**
   * Figures of the graph that are not those of what ran, with both.
   *
   * @param layout the device whose kernels alone are the reason; null where the file may be
   */
  void differing(String figures, String layout) {
    warn(
        Code.COUNTS_DIFFER,
        "what the graph says and what ran differ: "
            + figures
            + "; the report has the graph's: "
            + (layout == null
                ? "please report this file"
                : "kernels of " + layout + " lay out results in another way, and copies follow"));
  }

  /**
   * The report.
   *
   * @param libtorch facts of the LibTorch that ran; empty where none was needed
   */
  EfficiencyReport build(Model model, Map<String, String> libtorch) {
    List<Bound> bounds = List.of();
    if (properties != null) {
      if (!properties.flopsComplete()) incomplete();
      if (!plan.registry().added().isEmpty()) ownRules();
      bounds = bounds(properties, plan.gpus());
    }
    String precision = properties == null ? null : properties.precision();
    SystemCard card =
        SystemCards.detect(
                ROOT, new LibraryFacts(libtorch, precision, batch(), resolution()), nvidia())
            .build();
    belowRoofline(card);
    return new EfficiencyReport(
        model, inputs, metadata(card), properties, bounds, measurement, card, warnings);
  }

  /** Asked only where a CUDA device took part: it takes its time, and sets the device up. */
  private NvidiaFacts nvidia() {
    return cuda ? NvidiaFacts.of(Nvidia.management(), Nvidia.runtime()) : NvidiaFacts.NONE;
  }

  private void incomplete() {
    List<String> failed = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    properties
        .uncountedOps()
        .forEach(
            (op, u) ->
                (plan.registry().hasRule(op) ? failed : unknown)
                    .add(op + " (" + u.calls() + (u.calls() == 1 ? " call)" : " calls)")));
    String message = "FLOPs are a lower bound: ";
    if (!unknown.isEmpty()) message += "no rule for " + some(unknown) + "; --flop-rule gives one";
    if (!failed.isEmpty())
      message +=
          (unknown.isEmpty() ? "" : "; ")
              + "the rule for "
              + some(failed)
              + " does not fit a call, or its result passes 2^63";
    warn(Code.FLOPS_INCOMPLETE, message);
  }

  /** A graph may have any number of ops; the report has them all. */
  private static String some(List<String> ops) {
    int more = ops.size() - MOST_NAMED;
    String first = String.join(", ", ops.subList(0, Math.min(MOST_NAMED, ops.size())));
    return more > 0 ? first + " and " + more + " more" : first;
  }

  private void ownRules() {
    Set<String> ran = properties.ops().stream().map(OpGroup::op).collect(Collectors.toSet());
    List<String> used = plan.registry().added().stream().filter(ran::contains).toList();
    List<String> idle = plan.registry().added().stream().filter(o -> !ran.contains(o)).toList();
    if (!used.isEmpty())
      warn(Code.OWN_RULES, "FLOPs of " + String.join(", ", used) + " follow rules that were given");
    if (!idle.isEmpty())
      warn(
          Code.OWN_RULES,
          "a rule was given for "
              + String.join(", ", idle)
              + ", which did not run: check the name");
  }

  private List<Bound> bounds(ModelProperties properties, List<GpuTable.Row> gpus) {
    List<Bound> bounds = Tier2.bounds(properties, gpus);
    String without =
        bounds.stream()
            .filter(b -> b.latencyMs() == null)
            .map(Bound::gpu)
            .collect(Collectors.joining(", "));
    if (!without.isEmpty()) {
      warn(
          Code.UNAVAILABLE,
          properties.precision() == null
              ? "no type is known that the model reckons in: no roofline bound"
              : "no "
                  + properties.precision()
                  + " peak is known for "
                  + without
                  + ": no roofline bound there");
    }
    return bounds;
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
    EfficiencyMetadata.Builder row = EfficiencyMetadata.builder().systemCard(card);
    if (properties != null)
      row.params(properties.params())
          .flops(properties.flops())
          .trafficBytes(properties.traffic().bytes())
          .actmemFp16Bytes(properties.activations().livenessPeakFp16Bytes());
    String unlike = measurement == null ? null : unlikeRow(measurement);
    if (unlike != null) warn(Code.UNAVAILABLE, "row: latency is left out, " + unlike);
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

  void warn(Code code, String message) {
    warnings.add(new Warning(code, message));
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
