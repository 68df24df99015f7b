package org.rpx.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.host.HostFacts;
import org.rpx.agent.host.Load;
import org.rpx.agent.host.LoadProbe;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.measure.StoppingRule;
import org.rpx.agent.measure.ThreadChoice;
import org.rpx.agent.measure.Timing;
import org.rpx.agent.measure.WarmUp;
import org.rpx.agent.measure.Workload;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.trace.OpTrace;

/** One profile from beginning to end: load, first run, count, settle threads, warm up, time. */
final class Profiler {
  private static final Path ROOT = Path.of("/");

  private final ModelSource source;
  private final Plan plan;
  private final Watch watch;
  private volatile boolean cancelled;
  private String differing;

  Profiler(ModelSource source, Plan plan, Watch watch) {
    this.source = source;
    this.plan = plan;
    this.watch = watch;
  }

  EfficiencyReport profile() {
    watch.phase("load");
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
      List<ThreadChoice.Setup> candidates =
          ThreadChoice.candidates(cores, plan.threads(), blasPool);
      ThreadChoice.Setup start = candidates.get(candidates.size() == 1 || cores == 1 ? 0 : 1);
      model.session().threads(start.operators(), start.blas());

      long firstNs = plan.timed() ? model.firstRun() : -1;
      ModelProperties properties = count(model);
      ReportBuilder report = new ReportBuilder(plan, model.describeInputs(), properties);
      if (!model.hasInputs()) report.defaultInput();
      if (properties == null) report.uncounted(model.unseen());
      report.dead(model.deadProducts());
      if (differing != null) report.differing(differing);
      if (plan.timed()) {
        // Before the warm-up: a model that changes itself is loaded again after it.
        Long tensorPeak = model.session().tensorPeakBytes();
        report.measured(time(model, firstNs, tensorPeak, candidates, report), cores);
      }
      return report.build(model.describe(), LibTorch.facts());
    }
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
    ModelProperties ran = count(model, model.trace());
    OpTrace graph = model.graph();
    if (graph == null) return ran;
    ModelProperties read = count(model, graph);
    if (GraphCheck.leavesOpen(read) || (!read.flopsComplete() && ran.flopsComplete())) return ran;
    differing = GraphCheck.differences(read, ran);
    return read;
  }

  private ModelProperties count(LoadedModel model, OpTrace trace) {
    return Tier1.of(source.text(), trace, model.weights(), plan);
  }

  private Measurement time(
      LoadedModel model,
      long firstNs,
      Long tensorPeak,
      List<ThreadChoice.Setup> candidates,
      ReportBuilder report) {
    ended();
    LoadProbe probe = LoadProbe.start(ROOT);
    Workload workload = new SessionWorkload(model);
    watch.phase("threads");
    ThreadChoice choice = new ThreadChoice(workload);
    Measurement.Threads threads = choice.settle(candidates);
    watch.phase("warm-up");
    WarmUp.Result warm = warmUp(workload);
    ended();
    watch.phase("time");
    boolean peakIsOurs = LibTorch.resetResidentPeak();
    Timing.Result timing = timed(model);
    Long resident = LibTorch.residentPeakBytes();
    Load load = probe.stop();
    ended();
    report.contention(load, threads);
    if (!peakIsOurs) report.noResidentPeak();
    return new Measurement(
        plan.device(),
        model.loadMs(),
        firstNs / 1e6,
        choice.runs() + warm.runs(),
        timing.samples(),
        report.batch(),
        threads,
        new Measurement.Peak(peakIsOurs ? mib(resident) : null, mib(tensorPeak), null, null),
        new Course(
            warm.ended() == null ? "asked" : warm.ended().key(),
            warm.ns() / 1e6,
            timing.stoppedBy().key(),
            plan.percentiles()));
  }

  /** Until the times agree, or as many runs as the plan says. */
  private WarmUp.Result warmUp(Workload workload) {
    if (plan.warmup() == null) return WarmUp.DEFAULT.run(workload, () -> cancelled);
    if (plan.warmup() == 0) return new WarmUp.Result(0, 0, null);
    Samples runs = workload.time(plan.warmup(), Duration.ofDays(1));
    return new WarmUp.Result(runs.count(), runs.spanNs(), null);
  }

  private Timing.Result timed(LoadedModel model) {
    StoppingRule rule = StoppingRule.of(plan.iterations(), plan.duration(), plan.precisionTarget());
    long limit = rule.duration() == null ? Long.MAX_VALUE : rule.duration().toNanos();
    int[] ran = {0};
    Workload watched =
        new SessionWorkload(model) {
          @Override
          public Samples time(int n, Duration most) {
            int before = ran[0];
            Samples samples =
                time(
                    n,
                    most,
                    done -> {
                      if (done == null) watch.timed();
                      else watch.timing(() -> before + done.getAsLong(), rule.most(), limit);
                    });
            ran[0] += samples.count();
            return samples;
          }
        };
    return Timing.run(watched, rule, () -> cancelled);
  }

  private void ended() {
    if (cancelled) throw new CancelledException();
  }

  private static Double mib(Long bytes) {
    return bytes == null ? null : bytes / (1024.0 * 1024.0);
  }
}
