package org.rpx.agent.cli;

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

  @Mixin private TimingOptions timing;

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
    Plan plan = timing.on(model.plan().withTimed(true));
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
