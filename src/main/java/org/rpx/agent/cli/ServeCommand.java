package org.rpx.agent.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.concurrent.Callable;
import org.rpx.agent.ProcessComparison;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** One side of a comparison of two processes: runs when it is told to on stdin. */
@Command(name = "serve", hidden = true, description = "Run a model as compare tells on stdin.")
final class ServeCommand implements Callable<Integer> {
  @Mixin private ForwardOptions forward;

  @Mixin private TimingOptions timing;

  @Override
  public Integer call() throws Exception {
    // Whatever prints to stdout would be taken for an answer.
    FileOutputStream answers = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err);
    try (Progress progress = new Progress(false)) {
      ProcessComparison.serve(
          forward.source(), timing.on(forward.plan()), System.in, answers, progress);
    } finally {
      Interrupt.finished();
    }
    return ExitCode.OK;
  }
}
