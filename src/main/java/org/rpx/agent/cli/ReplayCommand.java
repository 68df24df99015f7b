package org.rpx.agent.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.rpx.agent.Rpx;
import org.rpx.agent.gate.Gate;
import org.rpx.agent.monitor.BlackBoxFile;
import org.rpx.agent.report.SweepReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A black box as a report. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = "Make a report of a control loop's black box, with the gates of measure.")
final class ReplayCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "A ring file, rpx-NAME.ring.")
  private Path file;

  @Mixin private Output output;
  @Mixin private GateOptions gates;

  @Override
  public Integer call() throws Exception {
    output.check();
    gates.check();
    BlackBoxFile box = BlackBoxFile.read(file);
    SweepReport replayed = Rpx.replay(box);
    List<Gate.Result> judged = gates.judge(Rpx.replayFigures(box, replayed));
    output.write(replayed.withGates(judged));
    return box.cycles().isEmpty() ? ExitCode.INVALID : gates.finish(file.toString(), judged);
  }
}
