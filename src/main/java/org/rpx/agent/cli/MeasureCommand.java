package org.rpx.agent.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.rpx.agent.Plan;
import org.rpx.agent.Rpx;
import org.rpx.agent.gate.Gate;
import org.rpx.agent.measure.Course;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.SweepReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** All three tiers. */
@Command(
    name = "measure",
    mixinStandardHelpOptions = true,
    description = "Count a model, bound it on reference GPUs, and time it here.")
final class MeasureCommand implements Callable<Integer> {
  @Mixin private ModelOptions model;
  @Mixin private Output output;
  @Mixin private GateOptions gates;
  @Spec private CommandSpec spec;

  @Option(
      names = "--sweep",
      paramLabel = "OPTION=A,B,…",
      description =
          "Measure with each of an option's values, each in a process of its own: threads=1,2,4, batch=1,8 or"
              + " input=1x3x224x224,1x3x320x320; again for every combination.")
  private List<String> sweeps = new ArrayList<>();

  @Option(
      names = "--warmup",
      paramLabel = "N",
      description =
          "Untimed runs after the threads are settled. Default: until their times agree, at most 1 s.")
  private Integer warmup;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description =
          "Timed runs. Default: 1000, or fewer in 3 s or where the median is sure to 0.5 %%.")
  private Integer iterations;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "No timed run begins after this: 200ms, 3s.")
  private Duration duration;

  @Option(
      names = "--precision-target",
      paramLabel = "SHARE",
      converter = Percent.class,
      description = "Time until the median's 95 %% interval is within this: 1%%.")
  private Double precisionTarget;

  @Option(
      names = "--percentile",
      paramLabel = "P,…",
      split = ",",
      description = "Of the latency, to report: 50,95,99 (default), 99.9.")
  private List<Double> percentiles;

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      converter = Rates.class,
      description =
          "Release the timed runs on a schedule, as a control loop does: 30hz, 1khz. Latency is from the release."
              + " Default of --duration then: 10s.")
  private Double rate;

  @Option(names = "--cold-cache", description = "Empty the CPU's caches before each timed run.")
  private boolean coldCache;

  @Option(
      names = "--cpus",
      paramLabel = "LIST",
      converter = CpuList.class,
      description = "Pin the process to these CPUs: 0,2 or 0-3.")
  private List<Integer> cpus;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description =
          "Measure in N fresh processes, and report how they differ: one process is one sample.")
  private int repeats = 1;

  @Override
  public Integer call() throws Exception {
    output.check();
    gates.check();
    if (!sweeps.isEmpty()) return sweep();
    Plan plan =
        model
            .plan()
            .withTimed(true)
            .withWarmup(warmup)
            .withIterations(iterations)
            .withDuration(duration)
            .withPrecisionTarget(precisionTarget)
            .withRate(rate)
            .withColdCache(coldCache)
            .withCpus(cpus)
            .withPercentiles(percentiles == null ? Course.PERCENTILES : percentiles);
    if (repeats < 1) throw new IllegalArgumentException("--repeats has to be 1 or more");
    if (repeats == 1 && output.isTable()) Rehearsal.run(plan);
    EfficiencyReport report;
    try (Progress progress = new Progress(Terminal.stderr() && !output.quiet)) {
      report =
          gates.judge(
              repeats > 1
                  ? Repeats.run(repeats, words(), progress)
                  : Rpx.profile(model.source(), plan, progress));
    } finally {
      Interrupt.finished();
    }
    output.write(report);
    int verdict = gates.finish(report.model().path(), report.gates());
    return report.tier3() != null && report.tier3().samples().count() == 0
        ? ExitCode.INVALID
        : verdict;
  }

  /** The command line for one process of several. */
  private List<String> words() {
    return new Words(spec.commandLine().getParseResult().originalArgs())
        .without(
            List.of("--sweep", "--repeats", "--gate", "--junit", "--json", "--format"), "--quiet");
  }

  /** A point that fails is a row; that none succeeded is an error. */
  private int sweep() throws Exception {
    List<Sweep> all = sweeps.stream().map(Sweep::parse).toList();
    SweepReport report;
    try (Progress progress = new Progress(Terminal.stderr() && !output.quiet)) {
      report = Sweep.run(all, words(), progress).map(gates::judge);
    } finally {
      Interrupt.finished();
    }
    output.write(report);
    List<Gate.Result> judged =
        report.points().stream()
            .filter(p -> p.report() != null)
            .flatMap(p -> p.report().gates().stream())
            .toList();
    int verdict = gates.finish(model.source().text(), judged);
    boolean none = report.points().stream().allMatch(p -> p.report() == null);
    return none ? ExitCode.FAILED : verdict;
  }
}
