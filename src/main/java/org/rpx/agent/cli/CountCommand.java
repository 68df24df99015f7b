package org.rpx.agent.cli;

import java.util.concurrent.Callable;
import org.rpx.agent.Rpx;
import org.rpx.agent.report.EfficiencyReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tiers 1 and 2: nothing is timed. */
@Command(
    name = "count",
    mixinStandardHelpOptions = true,
    description = "Count a model and bound it on reference GPUs; nothing is timed.")
final class CountCommand implements Callable<Integer> {
  @Mixin private ModelOptions model;
  @Mixin private Output output;

  @Override
  public Integer call() throws Exception {
    output.check();
    EfficiencyReport report;
    try (Progress progress = new Progress(Terminal.stderr() && !output.quiet)) {
      report = Rpx.profile(model.source(), model.plan(), progress);
    } finally {
      Interrupt.finished();
    }
    output.write(report);
    return ExitCode.OK;
  }
}
