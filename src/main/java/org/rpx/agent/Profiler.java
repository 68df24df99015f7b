package org.rpx.agent;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.rpx.agent.engine.Device;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.Nvidia;
import org.rpx.agent.host.HostFacts;
import org.rpx.agent.host.Load;
import org.rpx.agent.host.LoadProbe;
import org.rpx.agent.host.Telemetry;
import org.rpx.agent.host.TelemetrySummary;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.ThreadChoice;
import org.rpx.agent.measure.Timing;
import org.rpx.agent.measure.WarmUp;
import org.rpx.agent.measure.Workload;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.trace.OpTrace;

/** One profile from beginning to end: load, first run, count, settle threads, warm up, time. */
final class Profiler {
  private static final Path ROOT = Path.of("/");

  // Shorter runs are over before the second sample; looking would take longer than they do.
  private static final double TELEMETRY_NS = 250e6;

  private final ModelSource source;
  private final Plan plan;
  private final Watch watch;
  private volatile boolean cancelled;
  private String differing;
  private boolean layoutOnly;
  // Why the count was not made where the plan says; null where it was.
  private String countedOnCpu;

  Profiler(ModelSource source, Plan plan, Watch watch) {
    this.source = source;
    this.plan = plan;
    this.watch = watch;
  }

  EfficiencyReport profile() {
    try {
      return whole();
    } catch (NativeException e) {
      boolean full = e.code() == NativeException.Code.OUT_OF_MEMORY;
      boolean noKernel = e.code() == NativeException.Code.UNSUPPORTED && !plan.timed();
      if (plan.device().equals("cpu") || !(full || noKernel)) throw e;
      Profiler onCpu = new Profiler(source, plan.withTimed(false).withDevice("cpu"), watch);
      // A count is the same on any device; times are not.
      if (plan.timed()) throw tooLarge(e, onCpu);
      onCpu.countedOnCpu = e.getMessage();
      return onCpu.profile();
    }
  }

  /** What a model needs and what there was for it. Nothing smaller is tried. */
  private NativeException tooLarge(NativeException e, Profiler onCpu) {
    String needs;
    try (LoadedModel model = LoadedModel.of(source, onCpu.plan, watch)) {
      needs = " needs " + Room.needs(model.weights(), onCpu.count(model));
    } catch (NativeException | IllegalArgumentException unknown) {
      needs = " does not fit";
    }
    return new NativeException(
        e.code(),
        source.text()
            + needs
            + " on "
            + plan.device()
            + ", which has no room for it ("
            + e.getMessage()
            + "): use a smaller input, batch or precision, or stop others on the device");
  }

  private EfficiencyReport whole() {
    watch.phase("load");
    // Before anything asks how many cores there are.
    if (plan.cpus() != null) Pinning.pin(plan.cpus(), ROOT);
    // Beside LibTorch's loading.
    HostFacts host = HostFacts.read(ROOT);
    try (LoadedModel model = LoadedModel.of(source, plan, watch)) {
      watch.cancellable(
          () -> {
            cancelled = true;
            model.session().cancel();
          });
      int cores = cores(host);
      boolean blasPool = LibTorch.facts().containsKey("blas_threads");
      boolean onCpu = model.device().isCpu();
      Interludes.check(plan, model.device());
      // On an accelerator the pools do next to nothing.
      List<ThreadChoice.Setup> candidates =
          ThreadChoice.candidates(onCpu ? cores : 1, plan.threads(), blasPool);
      ThreadChoice.Setup start = candidates.get(candidates.size() == 1 || cores == 1 ? 0 : 1);
      model.session().threads(start.operators(), start.blas());
      if (onCpu && model.graph() != null)
        model.room.check(source.text(), model.weights(), count(model, model.graph()));

      long firstNs = plan.timed() ? model.firstRun() : -1;
      DeviceTiming device = new DeviceTiming(model);
      if (plan.timed()) device.copies();
      ModelProperties properties = count(model);
      ReportBuilder report = new ReportBuilder(plan, model.describeInputs(), properties);
      if (!model.hasInputs()) report.findings().defaultInput();
      if (properties == null) report.findings().uncounted(model.unseen());
      report.device(model.device(), countedOnCpu);
      if (plan.timed() && onCpu) report.findings().add(denormals(model));
      report.findings().dead(model.deadProducts());
      report.findings().unchecked(model.uncheckedGuards());
      if (differing != null)
        report.findings().differing(differing, layoutOnly && !onCpu ? model.device().name() : null);
      if (plan.timed()) {
        model.tryOtherInputs();
        report.findings().add(InputSets.flag(model.describeSets()));
        // Before the warm-up: a model that changes itself is loaded again after it.
        Long tensorPeak = model.session().tensorPeakBytes();
        report.measured(time(model, device, firstNs, tensorPeak, candidates, report), cores);
      }
      return report.build(model.describe(), LibTorch.facts());
    }
  }

  /** Accelerators compute on subnormal floats as on others. */
  private static Warning denormals(LoadedModel model) {
    Denormals denormals = new Denormals();
    denormals.look("input", model.inputs());
    denormals.look("output", model.outputs());
    return denormals.flag();
  }

  /** Whole cores: half of one is still one thread. */
  static int cores(HostFacts host) {
    double available =
        host.coresAvailable() == null
            ? Runtime.getRuntime().availableProcessors()
            : host.coresAvailable();
    return Math.max(1, (int) available);
  }

  /**
   * Tier 1. Of a model whose file holds its graph, the graph's count, checked against what ran;
   * where the graph leaves open what runs (a branch on values), the count of what ran. Null where
   * neither shows the ops.
   */
  private ModelProperties count(LoadedModel model) {
    ended();
    watch.phase("count");
    if (!plan.timed()) model.firstRun();
    if (!model.showsOps()) return model.graph() == null ? null : count(model, model.graph());
    OpTrace graph = model.graph();
    ModelProperties ran;
    try {
      ran = count(model, model.trace());
    } catch (NativeException e) {
      boolean full = e.code() == NativeException.Code.OUT_OF_MEMORY && !model.device().isCpu();
      if (!full || !plan.timed()) throw e;
      countedOnCpu = e.getMessage();
      return graph != null ? count(model, graph) : countOnCpu();
    }
    if (graph == null) return ran;
    ModelProperties read = count(model, graph);
    if (GraphCheck.leavesOpen(read) || (!read.flopsComplete() && ran.flopsComplete())) return ran;
    differing = GraphCheck.differences(read, ran);
    layoutOnly = GraphCheck.layoutOnly(read, ran);
    return read;
  }

  private ModelProperties countOnCpu() {
    Profiler onCpu = new Profiler(source, plan.withTimed(false).withDevice("cpu"), watch);
    try (LoadedModel model = LoadedModel.of(source, onCpu.plan, watch)) {
      return onCpu.count(model);
    }
  }

  private ModelProperties count(LoadedModel model, OpTrace trace) {
    return Tier1.of(source.text(), trace, model.weights(), plan);
  }

  private Measurement time(
      LoadedModel model,
      DeviceTiming device,
      long firstNs,
      Long tensorPeak,
      List<ThreadChoice.Setup> candidates,
      ReportBuilder report) {
    ended();
    LoadProbe probe = LoadProbe.start(ROOT);
    TimedRuns runs = new TimedRuns(plan, model, device.events(), watch, () -> cancelled);
    Workload workload = new SessionWorkload(model, device.events());
    watch.phase("threads");
    ThreadChoice choice = new ThreadChoice(workload);
    Measurement.Threads threads = choice.settle(candidates);
    watch.phase("warm-up");
    WarmUp.Result warm = WarmUp.run(plan.warmup(), workload, () -> cancelled);
    ended();
    watch.phase("time");
    device.before(plan.iterations() == null ? Integer.MAX_VALUE : plan.iterations());
    runs.prepare(report);
    boolean peakIsOurs = LibTorch.resetResidentPeak();
    boolean watched = runs.takesNs(warm) >= TELEMETRY_NS;
    if (watched) HeapPeak.reset();
    Telemetry telemetry = watched ? Telemetry.start(ROOT, nvidia(model.device())) : null;
    Timing.Result timing = runs.run();
    TelemetrySummary seen = telemetry == null ? null : telemetry.stop();
    Long heap = watched ? HeapPeak.bytes() : null;
    device.after();
    Long resident = runs.withoutFlush(LibTorch.residentPeakBytes());
    Load load = probe.stop();
    ended();
    if (seen == null) report.findings().contention(load, threads);
    else report.findings().machine(seen, threads);
    if (!peakIsOurs) report.findings().noResidentPeak();
    return new Measurement(
        model.device().name(),
        model.loadMs(),
        firstNs / 1e6,
        choice.runs() + warm.runs() + runs.backToBackRuns(),
        timing.samples(),
        report.batch(),
        threads,
        device
            .peak(peakIsOurs ? DeviceTiming.mib(resident) : null, DeviceTiming.mib(tensorPeak))
            .with(
                report.memory(
                    model.device().isCpu() ? Room.weightBytes(model.weights()) : null,
                    heap,
                    watched)),
        new Course(
                warm.ended() == null ? "asked" : warm.ended().key(),
                warm.ns() / 1e6,
                timing.stoppedBy().key(),
                plan.percentiles())
            .withLoop(runs.loop()),
        seen == null ? null : seen.toMap(),
        device.times(runs.enqueuedNs()));
  }

  /** Asks NVML where GPUs of its maker take part. */
  static Supplier<List<String>> nvidia(Device device) {
    return device.type().equals("cuda") ? Nvidia::management : null;
  }

  private void ended() {
    if (cancelled) throw new CancelledException();
  }
}
