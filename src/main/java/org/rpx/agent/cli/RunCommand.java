package org.rpx.agent.cli;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.rpx.agent.ModelSource;
import org.rpx.agent.Plan;
import org.rpx.agent.Rpx;
import org.rpx.agent.Session;
import org.rpx.agent.SessionOptions;
import org.rpx.agent.SessionTensor;
import org.rpx.agent.arrays.NamedArray;
import org.rpx.agent.arrays.NpzWriter;
import org.rpx.agent.engine.NativeException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One forward, so that anyone can compare its outputs with Python's. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = "Run a model once and write its outputs for NumPy.")
final class RunCommand implements Callable<Integer> {
  @Mixin private ForwardOptions forward;

  @Option(
      names = "--output",
      paramLabel = "FILE.npz",
      required = true,
      description = "Write the outputs to FILE: out0, out1 … in order.")
  private Path output;

  @Option(
      names = "--save-inputs",
      paramLabel = "FILE.npz",
      description = "Write the inputs to FILE too, by name, as --input-file takes them.")
  private Path savedInputs;

  @Override
  public Integer call() throws Exception {
    ModelSource source = forward.source();
    check(source);
    // One forward and no more: a model may change itself in it.
    Plan plan = forward.plan();
    SessionOptions options = SessionOptions.of(plan.withInputs(plan.inputs())).withWarmup(0);
    try (Progress watch = new Progress(false);
        Session session = Rpx.session(source, options, watch)) {
      // Before the run: forward may write to its inputs.
      if (savedInputs != null) write(arrays(session.inputs(), null), savedInputs, "--save-inputs");
      session.run();
      List<SessionTensor> data = session.outputs();
      List<NamedArray> outputs = arrays(data, "out");
      write(outputs, output, "--output");
      print(outputs, data);
    } finally {
      Interrupt.finished();
    }
    return ExitCode.OK;
  }

  /** Before anything is loaded. */
  private void check(ModelSource source) throws IOException {
    for (Path file : new Path[] {output, savedInputs}) {
      if (file == null) continue;
      String option = file == output ? "--output" : "--save-inputs";
      new WholeFile(file, option).check();
      boolean same = source instanceof ModelSource.File model && isSame(model.path(), file);
      if (same) throw new IllegalArgumentException(file + " (" + option + ") is the model's file");
    }
    if (savedInputs != null
        && output.toAbsolutePath().normalize().equals(savedInputs.toAbsolutePath().normalize()))
      throw new IllegalArgumentException(
          "--output and --save-inputs name one file; name two, such as out.npz and in.npz");
  }

  private static boolean isSame(Path model, Path file) throws IOException {
    return Files.exists(model) && Files.exists(file) && Files.isSameFile(model, file);
  }

  /** Numbered under {@code prefix}; under their paths where it is null. */
  private static List<NamedArray> arrays(List<SessionTensor> data, String prefix) {
    List<NamedArray> arrays = new ArrayList<>();
    for (SessionTensor d : data) {
      String name = prefix == null ? d.path() : prefix + arrays.size();
      try {
        arrays.add(new NamedArray(name, d.dtype(), d.shape(), d.asByteBuffer()));
      } catch (IllegalArgumentException e) {
        throw new NativeException(NativeException.Code.UNSUPPORTED, e.getMessage());
      }
    }
    return arrays;
  }

  private static void write(List<NamedArray> arrays, Path file, String option) {
    new WholeFile(file, option).write(out -> NpzWriter.write(arrays, out));
    for (NamedArray array : arrays) {
      if (array.widened())
        Failure.say(
            file + ": " + array.name() + " is bfloat16, written as float32, which holds it");
    }
  }

  private static void print(List<NamedArray> outputs, List<SessionTensor> data) throws IOException {
    Writer out = Terminal.out(true);
    for (int i = 0; i < outputs.size(); i++)
      out.write(OutputLine.of(outputs.get(i), data.get(i).path()) + System.lineSeparator());
    out.flush();
  }
}
