package org.rpx.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.ModelFile;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.report.EfficiencyReport.Model;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.Weight;

/** A model in memory, with the plan's inputs, device and precision. */
final class LoadedModel implements AutoCloseable {
  final NativeSession session;
  final List<Argument> arguments;
  final List<InputSpec> inputs;
  final double loadMs;
  private final ModelSource source;
  private final ModelFile file;
  private final Plan plan;
  private final String cast;

  LoadedModel(ModelSource source, Plan plan, Watch watch) {
    this.source = source;
    this.plan = plan;
    this.cast = plan.precision() == null ? null : dtype(plan.precision());
    // LibTorch takes longest to load; the file is read and checked beside it.
    Thread library = new Thread(LibTorch::tryLoad, "rpx-load");
    library.start();
    ModelFile checked = null;
    NativeSession opened = null;
    try {
      try {
        checked =
            source instanceof ModelSource.Demo demo
                ? unpack(demo, watch)
                : ModelFile.torchScript(path(source));
      } finally {
        join(library);
      }
      LibTorch.load();
      long start = System.nanoTime();
      opened = open(checked);
      loadMs = (System.nanoTime() - start) / 1e6;
      file = checked;
      session = opened;
      arguments = session.signature();
      if (cast != null) cast();
      inputs = fit();
      makeInputs();
    } catch (Throwable t) {
      if (opened != null) opened.close();
      delete(source, checked);
      throw t;
    }
  }

  private NativeSession open(ModelFile checked) {
    try {
      return new NativeSession(checked.path(), plan.device());
    } catch (NativeException e) {
      throw e.code() == NativeException.Code.DEVICE ? e : e.about(source.text());
    }
  }

  private void cast() {
    try {
      session.cast(cast);
    } catch (NativeException e) {
      throw e.about(source.text());
    }
  }

  private void makeInputs() {
    try {
      session.inputs(inputs, plan.seed());
    } catch (NativeException e) {
      throw e.about("the input cannot be made, use a smaller one or a smaller batch");
    }
  }

  private List<InputSpec> fit() {
    try {
      List<InputSpec> given = plan.inputs().isEmpty() ? List.of(Plan.DEFAULT_INPUT) : plan.inputs();
      if (arguments.isEmpty() && plan.inputs().isEmpty()) given = List.of();
      return Arguments.fit(given, arguments, plan.batch());
    } catch (IllegalArgumentException e) {
      throw advise(e.getMessage());
    }
  }

  /**
   * One forward; an input that does not fit the model comes back with the model's signature and an
   * input to try.
   */
  long firstRun() {
    try {
      return session.run();
    } catch (NativeException e) {
      if (e.code() == NativeException.Code.INPUT) throw advise(e.getMessage());
      throw e.about(source.text());
    }
  }

  private NativeException advise(String complaint) {
    String given =
        plan.inputs().isEmpty() ? " (the default input, float32 1x3x480x640, was used)" : "";
    return new NativeException(
        NativeException.Code.INPUT,
        source.text()
            + ": "
            + complaint
            + given
            + "; it takes "
            + Arguments.signature(arguments)
            + "; try "
            + new InputAdvice(session, arguments).after(complaint));
  }

  List<Input> describeInputs() {
    return Arguments.describe(inputs, arguments, cast);
  }

  List<Weight> weights() {
    return session.weights();
  }

  /** Reads the whole file once more, for its hash. */
  Model describe() {
    return new Model(source.text(), "torchscript", file.bytes(), file.sha256());
  }

  @Override
  public void close() {
    session.close();
    delete(source, file);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Path path(ModelSource source) {
    return ((ModelSource.File) source).path();
  }

  private static ModelFile unpack(ModelSource.Demo demo, Watch watch) {
    try (InputStream in = LoadedModel.class.getResourceAsStream("demo/" + demo.name() + ".pt")) {
      if (in == null)
        throw new IllegalArgumentException(
            "no demo called \"" + demo.name() + "\": there is demo:resnet18");
      Path file = Files.createTempFile("rpx-" + demo.name() + "-", ".pt");
      watch.temporary(file);
      file.toFile().deleteOnExit();
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      return ModelFile.torchScript(file);
    } catch (IOException e) {
      throw new UncheckedIOException("the demo model cannot be unpacked: " + e.getMessage(), e);
    }
  }

  private static void delete(ModelSource source, ModelFile file) {
    if (source instanceof ModelSource.Demo && file != null) {
      try {
        Files.deleteIfExists(file.path());
      } catch (IOException e) {
        // deleteOnExit tries again.
      }
    }
  }

  static String dtype(String precision) {
    return switch (precision) {
      case "fp16" -> "float16";
      case "bf16" -> "bfloat16";
      default -> "float32";
    };
  }
}
