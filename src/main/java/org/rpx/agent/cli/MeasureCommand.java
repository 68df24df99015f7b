package org.rpx.agent.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.rpx.agent.Plan;
import org.rpx.agent.Rpx;
import org.rpx.agent.report.EfficiencyReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** All three tiers. */
@Command(
    name = "measure",
    mixinStandardHelpOptions = true,
    description = "Count a model, bound it on reference GPUs, and time it here.")
final class MeasureCommand implements Callable<Integer> {
  @Mixin private ModelOptions model;
  @Mixin private Output output;

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
    Plan plan =
        model
            .plan()
            .withTimed(true)
            .withWarmup(warmup)
            .withIterations(iterations)
            .withDuration(duration);
    EfficiencyReport report;
    try (Progress progress = new Progress(Terminal.stderr() && !output.quiet)) {
      report = Rpx.profile(model.source(), plan, progress);
    } finally {
      Interrupt.finished();
    }
    output.write(report);
    return report.tier3() != null && report.tier3().samples().count() == 0
        ? ExitCode.INVALID
        : ExitCode.OK;
  }
}
