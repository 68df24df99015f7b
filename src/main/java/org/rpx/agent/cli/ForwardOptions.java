package org.rpx.agent.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rpx.agent.ModelSource;
import org.rpx.agent.NativeCode;
import org.rpx.agent.Plan;
import org.rpx.agent.arrays.InputsFile;
import org.rpx.agent.trace.InputSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which model, with which inputs, on what. */
final class ForwardOptions {
  @Parameters(
      index = "0",
      paramLabel = "MODEL",
      description =
          "A TorchScript or torch.export file, an AOTInductor package, demo:NAME, or api:NAME for a"
              + " remote model.")
  private String model;

  @Option(
      names = "--input",
      paramLabel = "[NAME:]SHAPE[:DTYPE][=VALUE]",
      description =
          "One input of forward, as 1x3x480x640, steps:scalar:int64=5 or"
              + " tokens:1x128:int64=0..1000; again for each. Nested ones as (A,B), [A,B],"
              + " {key=A,key=B}. Default: one float32 1x3x480x640.")
  private List<String> inputs = new ArrayList<>();

  @Option(
      names = "--inputs",
      paramLabel = "FILE.json",
      description =
          "Inputs by argument, or an array of them, as {\"x\": \"1x3\"} or {\"x\": {\"npy\":"
              + " \"x.npy\"}}.")
  private Path inputsFile;

  @Option(
      names = "--input-file",
      paramLabel = "[NAME=]FILE[,FILE…]",
      description =
          "An .npy as one input, in order behind those of --input; an .npz of inputs by name; or a"
              + " .pt of torch.save. Again for each. Several with commas take turns, run by run.")
  private List<String> arrays = new ArrayList<>();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of the inputs' drawn values. Default: ${DEFAULT-VALUE}.")
  private long seed = 0;

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      description =
          "cpu (default), cuda[:N], mps or another accelerator that LibTorch has; auto: one if it"
              + " answers, else cpu.")
  private String device = "cpu";

  @Option(
      names = "--precision",
      paramLabel = "P",
      description =
          "Cast the model and its inputs to fp32, fp16 or bf16. Default: as the file has it.")
  private String precision;

  @Option(names = "--batch", paramLabel = "N", description = "First size of every input.")
  private Integer batch;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Width of the thread pools. Default: settled by measuring; 1 where nothing is measured.")
  private Integer threads;

  @Option(
      names = "--allow-native-code",
      description =
          "Run code that comes with the model, with all your rights: AOTInductor packages,"
              + " --library.")
  private boolean allowNativeCode;

  @Option(
      names = "--library",
      paramLabel = "FILE.so",
      description = "Load the kernels of custom ops; again for each. Needs --allow-native-code.")
  private List<Path> libraries = new ArrayList<>();

  @Option(
      names = "--graph",
      paramLabel = "FILE.pt2",
      description =
          "The exported program that an AOTInductor package came from: its count and its inputs.")
  private Path graph;

  private List<List<InputSpec>> inputs() {
    List<InputSpec> all = new ArrayList<>();
    inputs.forEach(text -> all.add(InputSpec.parse(text)));
    if (inputsFile != null) all.addAll(InputsFile.read(inputsFile));
    return InputFiles.sets(all, arrays);
  }

  /** The model as the user named it. */
  String text() {
    return model;
  }

  ModelSource source() {
    return ModelSource.parse(model);
  }

  /** The inputs' files are read for it. */
  Plan plan() {
    // Which there are is known once LibTorch is loaded, and its libraries with it.
    if (!device.matches("[a-z][a-z0-9_]*(:\\d{1,3})?"))
      throw new IllegalArgumentException(
          "no device \"" + device + "\" (--device): cpu, cuda, cuda:1, mps, auto");
    return Plan.counting()
        .withInputSets(inputs())
        .withSeed(seed)
        .withDevice(device)
        .withPrecision(precision)
        .withBatch(batch)
        .withThreads(threads)
        .withNativeCode(new NativeCode(allowNativeCode, libraries), graph);
  }
}
