package org.rpx.agent.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.rpx.agent.Rpx;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.JsonReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tier 2 again, from a saved report. */
@Command(
    name = "roofline",
    mixinStandardHelpOptions = true,
    description = "Bound a saved report's model on other GPUs; nothing is run.")
final class RooflineCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE.json", description = "A report that --json wrote.")
  private Path file;

  @Mixin private GpuOptions gpus;
  @Mixin private Output output;

  @Override
  public Integer call() throws Exception {
    output.check();
    EfficiencyReport report;
    try {
      report = JsonReport.read(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " cannot be read: " + Output.reason(e), e);
    }
    output.write(Rpx.roofline(report, gpus.rows()));
    return ExitCode.OK;
  }
}
