package org.rpx.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.exported.CompiledPackage;
import org.rpx.agent.exported.ExportedProgram;
import org.rpx.agent.host.CpuFlags;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.report.EfficiencyReport.Model;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.Weight;

/** An AOTInductor package in memory; with its exported program, where the plan names one. */
final class PackageModel extends LoadedModel {
  private static final Path ROOT = Path.of("/");

  private final Path path;
  private final ExportedProgram program;
  private final List<List<InputSpec>> sets;
  private final List<Argument> arguments;
  private final OpTrace graph;

  PackageModel(ModelSource source, Path path, Plan plan, Watch watch) {
    // Compiled for one device, which "auto" cannot choose.
    super(source, plan.device().equals("auto") ? plan.withDevice("cpu") : plan);
    this.path = path;
    plan.nativeCode().requireFor(source.text());
    if (plan.precision() != null)
      throw new IllegalArgumentException(
          source.text()
              + " keeps the precision that it was compiled in (--precision): export the model in"
              + " that precision and compile it again");
    CompiledPackage compiled = besideLibTorch(() -> read(path));
    String mismatch =
        compiled
            .target()
            .mismatch(
                device.type(),
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                CpuFlags.read(ROOT));
    if (mismatch != null)
      throw new NativeException(
          NativeException.Code.DEVICE,
          source.text() + " was compiled for " + mismatch + ": compile it for this machine");
    program = plan.graph() == null ? null : ExportedProgram.read(plan.graph());
    sets = program == null ? given() : ProgramModel.inputs(program, plan);
    graph = program == null ? null : program.traceOrNull(sets.get(0));
    arguments = program == null ? named() : named(program.inputNames());
    open(() -> load(compiled, watch));
    try {
      make(sets.stream().map(s -> program == null ? leaves(s) : program.leaves(s)).toList());
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  /** Throws IllegalArgumentException where a plan names a graph for a model that has its own. */
  static void checkGraph(ModelSource source, Plan plan) {
    if (plan.graph() == null) return;
    if (source instanceof ModelSource.File file && CompiledPackage.is(file.path())) return;
    throw new IllegalArgumentException(
        "--graph goes with an AOTInductor package, and " + source.text() + " is none");
  }

  /** What is wrong with the file is the model's fault, not that of the command line. */
  private static CompiledPackage read(Path path) {
    try {
      return CompiledPackage.read(path);
    } catch (IllegalArgumentException e) {
      throw new NativeException(NativeException.Code.MODEL_FORMAT, e.getMessage());
    }
  }

  private NativeSession load(CompiledPackage compiled, Watch watch) {
    try (PackageFolder folder = PackageFolder.create()) {
      watch.temporary(folder::abandon);
      NativeSession session =
          NativeSession.compiled(
              folder.fill(compiled),
              compiled.model(),
              compiled.hasSeparateWeights(),
              device.name());
      // Code for a device reads its kernels when it first runs: the session's end removes them.
      if (!device.isCpu()) folder.keepUnpacked();
      return session;
    } catch (NativeException e) {
      throw advised(e);
    } catch (IllegalArgumentException e) {
      throw new NativeException(NativeException.Code.MODEL_FORMAT, e.getMessage());
    } catch (IOException e) {
      throw new NativeException(
          NativeException.Code.MODEL_LOAD,
          "it cannot be unpacked (" + e.getMessage() + "): make room in the temporary folder");
    }
  }

  /** LibTorch says what failed, and not that it is the folder's fault. */
  private static NativeException advised(NativeException e) {
    return Stream.of("Failed to extract", "temporary directory", "failed to map segment")
            .noneMatch(e.getMessage()::contains)
        ? e
        : new NativeException(
            e.code(),
            e.getMessage()
                + "; LibTorch unpacks packages to /tmp, a newer one to TMPDIR: make room there, and"
                + " mount it without noexec");
  }

  private List<List<InputSpec>> given() {
    if (plan.inputs().isEmpty())
      throw new IllegalArgumentException(
          source.text()
              + " does not tell the shapes of its inputs: give each with --input SHAPE, or name the"
              + " exported program that it came from with --graph model.pt2");
    for (InputSpec input : plan.inputSets().stream().flatMap(List::stream).toList())
      if (input.name() != null)
        throw new IllegalArgumentException(
            source.text()
                + " does not name its inputs: give them in order, without \""
                + input.name()
                + "\", or name the exported program that it came from with --graph model.pt2");
    return plan.inputSets().stream().map(s -> ProgramModel.withBatch(s, plan.batch())).toList();
  }

  @Override
  List<String> inputPaths() {
    return program == null
        ? IntStream.range(0, leaves(sets.get(0)).size()).mapToObj(i -> "in" + i).toList()
        : program.leafPaths();
  }

  private static List<InputSpec> leaves(List<InputSpec> inputs) {
    List<InputSpec> leaves = new ArrayList<>();
    for (InputSpec input : inputs) {
      if (input instanceof InputSpec.Sequence s) leaves.addAll(leaves(s.items()));
      else if (input instanceof InputSpec.Dict d)
        leaves.addAll(leaves(List.copyOf(d.items().values())));
      else leaves.add(input);
    }
    return leaves;
  }

  private List<Argument> named() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < sets.get(0).size(); i++) names.add("input" + i);
    return named(names);
  }

  private static List<Argument> named(List<String> names) {
    return names.stream().map(n -> new Argument(n, "Tensor", true)).toList();
  }

  @Override
  NativeException advise(String complaint) {
    String remedy =
        program == null
            ? "give the shapes that it was compiled for with --input, or --graph model.pt2"
            : "it runs with the inputs of " + plan.graph() + " without --input";
    return new NativeException(
        NativeException.Code.INPUT, source.text() + ": " + complaint + "; " + remedy);
  }

  @Override
  boolean hasInputs() {
    return true;
  }

  @Override
  boolean showsOps() {
    return false;
  }

  @Override
  String unseen() {
    if (program == null)
      return "compiled code does not show what it does; --graph model.pt2 names the exported"
          + " program that it came from, to count that";
    return "sizes in "
        + plan.graph()
        + " (--graph) depend on values, and compiled code does not show them";
  }

  @Override
  OpTrace graph() {
    return graph;
  }

  @Override
  List<String> uncheckedGuards() {
    return program == null ? List.of() : program.uncheckedGuards(sets.get(0));
  }

  @Override
  int deadProducts() {
    return program == null ? 0 : program.deadProducts();
  }

  @Override
  List<Weight> weights() {
    return program == null ? super.weights() : program.weights();
  }

  @Override
  List<Argument> arguments() {
    return arguments;
  }

  @Override
  List<List<Input>> describeSets() {
    return sets.stream().map(s -> Arguments.describe(s, arguments, null)).toList();
  }

  @Override
  Model describe() {
    ModelFile file = ModelFile.of(path);
    return new Model(source.text(), "aotinductor", file.bytes(), file.sha256());
  }
}
