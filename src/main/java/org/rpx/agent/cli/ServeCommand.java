package org.rpx.agent.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.List;
import java.util.concurrent.Callable;
import org.rpx.agent.ProcessComparison;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One side of a comparison of two processes: runs when it is told to on stdin. */
@Command(name = "serve", hidden = true, description = "Run a model as compare tells on stdin.")
final class ServeCommand implements Callable<Integer> {
  @Mixin private ForwardOptions forward;

  @Option(names = "--cpus", converter = CpuList.class)
  private List<Integer> cpus;

  @Override
  public Integer call() throws Exception {
    // Whatever prints to stdout would be taken for an answer.
    FileOutputStream answers = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err);
    try (Progress progress = new Progress(false)) {
      ProcessComparison.serve(
          forward.source(), forward.plan().withCpus(cpus), System.in, answers, progress);
    } finally {
      Interrupt.finished();
    }
    return ExitCode.OK;
  }
}
