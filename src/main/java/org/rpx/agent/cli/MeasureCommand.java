package org.rpx.agent.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.rpx.agent.Plan;
import org.rpx.agent.Rpx;
import org.rpx.agent.gate.Gate;
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
          "Untimed runs after the threads are settled. Default: at least 20 runs and 20 ms, at most 1 s.")
  private Integer warmup;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "Timed runs at most. Default: 1000, or fewer in 3 s.")
  private Integer iterations;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "No timed run begins after this: 200ms, 3s.")
  private Duration duration;

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
            .withDuration(duration);
    EfficiencyReport report;
    try (Progress progress = new Progress(Terminal.stderr() && !output.quiet)) {
      report = gates.judge(Rpx.profile(model.source(), plan, progress));
    } finally {
      Interrupt.finished();
    }
    output.write(report);
    int verdict = gates.finish(report.model().path(), report.gates());
    return report.tier3() != null && report.tier3().samples().count() == 0
        ? ExitCode.INVALID
        : verdict;
  }

  /** A point that fails is a row; that none succeeded is an error. */
  private int sweep() throws Exception {
    List<Sweep> all = sweeps.stream().map(Sweep::parse).toList();
    List<String> arguments =
        new Words(spec.commandLine().getParseResult().originalArgs())
            .without(List.of("--sweep", "--gate", "--junit", "--json", "--format"), "--quiet");
    SweepReport report;
    try (Progress progress = new Progress(Terminal.stderr() && !output.quiet)) {
      report = Sweep.run(all, arguments, progress).map(gates::judge);
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
