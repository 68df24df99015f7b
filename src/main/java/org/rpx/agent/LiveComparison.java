package org.rpx.agent;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rpx.agent.engine.Device;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.host.HostFacts;
import org.rpx.agent.host.Telemetry;
import org.rpx.agent.measure.ThreadChoice;
import org.rpx.agent.measure.WarmUp;
import org.rpx.agent.measure.Workload;
import org.rpx.agent.report.ComparisonReport.Compared;

/**
 * Two models measured in turns in one process, so that what slows the machine down for a while hits
 * both: the way to find a few percent where single measurements differ by more.
 */
final class LiveComparison {
  private static final Path ROOT = Path.of("/");

  private final Watch watch;
  private volatile boolean cancelled;

  LiveComparison(Watch watch) {
    this.watch = watch;
  }

  Compared run(
      ModelSource first, Plan firstPlan, ModelSource second, Plan secondPlan, double margin) {
    watch.phase("load");
    if (firstPlan.cpus() != null) Pinning.pin(firstPlan.cpus(), ROOT);
    try (LoadedModel a = LoadedModel.of(first, firstPlan, watch);
        LoadedModel b = LoadedModel.of(second, secondPlan, watch)) {
      watch.cancellable(
          () -> {
            cancelled = true;
            a.session().cancel();
            b.session().cancel();
          });
      Interludes.check(firstPlan, a.device());
      Interludes.check(firstPlan, b.device());
      a.firstRun();
      b.firstRun();
      a.tryOtherInputs();
      b.tryOtherInputs();
      SessionWorkload one = new SessionWorkload(a, false);
      SessionWorkload other = new SessionWorkload(b, false);
      watch.phase("threads");
      boolean blasPool = LibTorch.facts().containsKey("blas_threads");
      ThreadChoice.Setup setup = threads(one, firstPlan, blasPool);
      // Where the second does not say otherwise it gets the same: two choices might differ by
      // chance.
      ThreadChoice.Setup its =
          secondPlan.threads() == null ? setup : threads(other, secondPlan, blasPool);
      other.threads(its.operators(), its.blas());
      watch.phase("warm-up");
      WarmUp.run(firstPlan.warmup(), one, () -> cancelled);
      WarmUp.run(firstPlan.warmup(), other, () -> cancelled);
      watch.phase("compare");
      Turns turns = new Turns(firstPlan);
      turns.begin(a.session());
      turns.begin(b.session());
      Device gpu = a.device().isCpu() ? b.device() : a.device();
      Turns.Outcome outcome =
          turns.run(
              one,
              other,
              Math.max(setup.widest(), its.widest()),
              () -> Telemetry.start(ROOT, Profiler.nvidia(gpu)),
              () -> cancelled);
      if (cancelled) throw new CancelledException();
      List<String> unlike = unlike(firstPlan, secondPlan);
      List<String> notes = new ArrayList<>(turns.notes());
      String threads = "threads (operators x BLAS) " + setup;
      if (setup.equals(its)) notes.add(threads);
      else unlike.add(0, threads + " and " + its);
      return new Compared(
          second.text(),
          turns.rows(outcome.pairs(), margin, ""),
          unlike,
          notes,
          turns.warnings(outcome, first.text(), second.text()));
    }
  }

  static ThreadChoice.Setup threads(Workload workload, Plan plan, boolean blasPool) {
    int cores = Profiler.cores(HostFacts.read(ROOT));
    List<ThreadChoice.Setup> candidates = ThreadChoice.candidates(cores, plan.threads(), blasPool);
    var chosen = new ThreadChoice(workload).settle(candidates);
    return new ThreadChoice.Setup(chosen.operators(), chosen.blas());
  }

  /** What else differs between two plans than their threads. */
  static List<String> unlike(Plan first, Plan second) {
    List<String> unlike = new ArrayList<>();
    if (!java.util.Objects.equals(first.precision(), second.precision()))
      unlike.add("precision " + first.precision() + " and " + second.precision());
    if (!java.util.Objects.equals(first.batch(), second.batch()))
      unlike.add("batch " + first.batch() + " and " + second.batch());
    if (!first.device().equals(second.device()))
      unlike.add("device " + first.device() + " and " + second.device());
    return unlike;
  }
}
