package org.rpx.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.host.HostFacts;
import org.rpx.agent.host.Load;
import org.rpx.agent.host.LoadProbe;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.measure.ThreadChoice;
import org.rpx.agent.measure.Workload;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.trace.OpTrace;

/** One profile from beginning to end: load, first run, count, settle threads, warm up, time. */
final class Profiler {
  private static final Path ROOT = Path.of("/");
  private static final int CHUNK = 1 << 16;

  private static final int DEFAULT_ITERATIONS = 1000;
  private static final int DEFAULT_LEAST = 10;
  private static final Duration DEFAULT_DURATION = Duration.ofSeconds(3);
  // TorchScript's executor specialises on its first runs; slow starts of 10 to 20 runs are known.
  private static final int WARM_RUNS = 20;
  private static final Duration WARM_TIME = Duration.ofMillis(20);
  private static final Duration WARM_CAP = Duration.ofSeconds(1);

  private final ModelSource source;
  private final Plan plan;
  private final Watch watch;
  private volatile boolean cancelled;
  private Long[] differing;

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
      if (differing != null) report.differing(differing[0], differing[1]);
      if (plan.timed()) {
        // Before the warm-up: a model that changes itself is loaded again after it.
        Long tensorPeak = model.session().tensorPeakBytes();
        report.measured(time(model, firstNs, tensorPeak, candidates, report), cores);
      }
      return report.build(model.describe(), LibTorch.facts());
    }
  }

  /** Whole cores: half of one is still one thread. */
  private static int cores(HostFacts host) {
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
    ModelProperties ran = count(model, model.session().trace());
    OpTrace graph = model.graph();
    if (graph == null) return ran;
    ModelProperties read = count(model, graph);
    if (!read.flopsComplete() && ran.flopsComplete()) return ran;
    if (!ran.flops().equals(read.flops())) differing = new Long[] {read.flops(), ran.flops()};
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
    int warmup = choice.runs() + warmUp(workload);
    ended();
    watch.phase("time");
    boolean peakIsOurs = LibTorch.resetResidentPeak();
    Samples samples = timed(model);
    Long resident = LibTorch.residentPeakBytes();
    Load load = probe.stop();
    ended();
    report.contention(load, threads);
    if (!peakIsOurs) report.noResidentPeak();
    return new Measurement(
        plan.device(),
        model.loadMs(),
        firstNs / 1e6,
        warmup,
        samples,
        report.batch(),
        threads,
        new Measurement.Peak(peakIsOurs ? mib(resident) : null, mib(tensorPeak), null, null));
  }

  private int warmUp(Workload workload) {
    if (plan.warmup() != null) {
      return plan.warmup() == 0 ? 0 : workload.time(plan.warmup(), Duration.ofDays(1)).count();
    }
    int runs = 0;
    long start = System.nanoTime();
    while (!cancelled) {
      runs += workload.time(5, WARM_CAP).count();
      long passed = System.nanoTime() - start;
      if ((runs >= WARM_RUNS && passed >= WARM_TIME.toNanos()) || passed >= WARM_CAP.toNanos())
        break;
    }
    return runs;
  }

  private Samples timed(LoadedModel model) {
    int most =
        plan.iterations() != null
            ? plan.iterations()
            : plan.duration() != null ? 10_000_000 : DEFAULT_ITERATIONS;
    long limit =
        plan.duration() != null
            ? plan.duration().toNanos()
            : plan.iterations() != null ? Long.MAX_VALUE : DEFAULT_DURATION.toNanos();
    int least = plan.iterations() == null && plan.duration() == null ? DEFAULT_LEAST : 1;
    List<Samples> chunks = new ArrayList<>();
    int ran = 0;
    long start = System.nanoTime();
    while (ran < most && !cancelled) {
      long left = limit - (System.nanoTime() - start);
      if (left <= 0 && ran >= least) break;
      int n = left <= 0 ? least - ran : Math.min(CHUNK, most - ran);
      Samples chunk = chunk(model, n, left <= 0 ? Long.MAX_VALUE : left, ran, most, limit);
      chunks.add(chunk);
      ran += chunk.count();
    }
    return join(chunks, ran);
  }

  private Samples chunk(LoadedModel model, int n, long limit, int before, int most, long whole) {
    long[][] ns =
        model
            .session()
            .time(
                n,
                limit,
                (LongSupplier done) -> {
                  if (done == null) watch.timed();
                  else watch.timing(() -> before + done.getAsLong(), most, whole);
                });
    ended();
    return new Samples(ns[0], ns[1], ns[0].length);
  }

  private static Samples join(List<Samples> chunks, int count) {
    long[] starts = new long[count];
    long[] durations = new long[count];
    int at = 0;
    long offset = 0;
    for (Samples chunk : chunks) {
      for (int i = 0; i < chunk.count(); i++, at++) {
        starts[at] = offset + chunk.startNs(i);
        durations[at] = chunk.durationNs(i);
      }
      offset += chunk.spanNs();
    }
    return new Samples(starts, durations, count);
  }

  private void ended() {
    if (cancelled) throw new CancelledException();
  }

  private static Double mib(Long bytes) {
    return bytes == null ? null : bytes / (1024.0 * 1024.0);
  }

  /** The model as something to run and time. */
  private static final class SessionWorkload implements Workload {
    private final LoadedModel model;

    SessionWorkload(LoadedModel model) {
      this.model = model;
    }

    @Override
    public void threads(int operators, int blas) {
      model.session().threads(operators, blas);
    }

    @Override
    public Samples time(int n, Duration limit) {
      long[][] ns = model.session().time(n, limit.toNanos(), null);
      if (ns[0].length == 0) throw new CancelledException();
      return new Samples(ns[0], ns[1], ns[0].length);
    }
  }
}
