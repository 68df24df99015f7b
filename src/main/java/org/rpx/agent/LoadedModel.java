package org.rpx.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.rpx.agent.elf.ElfHeader;
import org.rpx.agent.engine.Device;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.engine.TensorMemory;
import org.rpx.agent.exported.CompiledPackage;
import org.rpx.agent.exported.ExportedProgram;
import org.rpx.agent.exported.ProgramException;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.report.EfficiencyReport.Model;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.Weight;

/** A model in memory, with the plan's inputs, device and precision. */
abstract class LoadedModel implements AutoCloseable {
  private static final Path ROOT = Path.of("/");
  // TorchScript, a graph, and compiled code name an op that is not there in these words. One of
  // LibTorch's own needs another LibTorch.
  private static final Pattern LACKS_OP =
      Pattern.compile(
          "(Unknown builtin op: |LibTorch \\S+ has no (?:[^;]*, )?|Could not find schema for )"
              + "(?!aten::)\\w+::");

  final ModelSource source;
  final Plan plan;
  final String cast;
  final Device device;
  final Room room = new Room();
  private NativeSession session;
  private List<List<InputSpec>> sets = List.of();
  private double loadMs;
  private Path unpacked;

  LoadedModel(ModelSource source, Plan plan) {
    this.source = source;
    this.plan = plan;
    this.cast = plan.precision() == null ? null : dtype(plan.precision());
    this.device = LibTorch.device(plan.device());
  }

  /** Loads what the source names, whichever format it has. */
  static LoadedModel of(ModelSource source, Plan plan, Watch watch) {
    if (source instanceof ModelSource.Api api)
      throw new IllegalArgumentException(
          api.text() + " is a remote model, which cannot be run here; give a file");
    PackageModel.checkGraph(source, plan);
    watch.beside(LibTorch::tryLoad);
    load(plan.nativeCode().libraries());
    if (source instanceof ModelSource.File file) return open(source, file.path(), plan, watch);
    Path unpacked = DemoFile.unpack((ModelSource.Demo) source, watch);
    try {
      LoadedModel model = open(source, unpacked, plan, watch);
      model.unpacked = unpacked;
      return model;
    } catch (Throwable t) {
      DemoFile.delete(unpacked);
      throw t;
    }
  }

  private static LoadedModel open(ModelSource source, Path path, Plan plan, Watch watch) {
    try {
      if (CompiledPackage.is(path)) return new PackageModel(source, path, plan, watch);
      return ExportedProgram.isArchive(path)
          ? new ProgramModel(source, path, plan)
          : new ScriptModel(source, path, plan);
    } catch (ProgramException e) {
      // What is wrong with the file is the model's fault, not that of the command line.
      throw new NativeException(NativeException.Code.MODEL_FORMAT, e.getMessage());
    }
  }

  private static void load(List<Path> libraries) {
    for (Path library : libraries) {
      if (!Files.isRegularFile(library))
        throw new IllegalArgumentException(library + " (--library): no such file");
      checkWhole(library);
      try {
        LibTorch.operators(library);
      } catch (NativeException e) {
        throw e.about(library + " (--library)");
      }
    }
  }

  private static void checkWhole(Path library) {
    try (InputStream in = Files.newInputStream(library)) {
      ElfHeader elf = ElfHeader.read(in);
      if (elf != null && elf.end() > Files.size(library))
        throw new IllegalArgumentException(
            library + " (--library) is cut off: copy or build it again");
    } catch (IOException e) {
      throw new IllegalArgumentException(
          library + " (--library) cannot be read: check its permissions", e);
    }
  }

  /** Reads and checks the file while LibTorch, which takes longest, may be loading. */
  static <T> T besideLibTorch(Supplier<T> work) {
    T result = work.get();
    LibTorch.load();
    return result;
  }

  /** Loads the model into native memory. */
  void open(Supplier<NativeSession> load) {
    try {
      room.open(ROOT);
      long start = System.nanoTime();
      session = load.get();
      loadMs = (System.nanoTime() - start) / 1e6;
    } catch (NativeException e) {
      room.close();
      throw e.code() == NativeException.Code.DEVICE ? e : about(e);
    }
  }

  void cast() {
    if (cast == null) return;
    try {
      session.cast(cast);
    } catch (NativeException e) {
      throw about(e);
    }
  }

  /** All sets of inputs, as native code takes them. */
  void make(List<List<InputSpec>> sets) {
    this.sets = sets;
    set(sets);
  }

  /**
   * Runs each further set of inputs once, so that one that does not fit is named. What a forward
   * changes is for the caller to restore.
   */
  void tryOtherInputs() {
    if (sets.size() == 1) return;
    for (int i = 1; i < sets.size(); i++) {
      set(sets.subList(i, i + 1));
      try {
        firstRun();
      } catch (NativeException e) {
        throw e.about("set " + (i + 1) + " of " + sets.size() + " (--input-file)");
      }
    }
    set(sets);
  }

  private void set(List<List<InputSpec>> some) {
    try {
      session.inputSets(some, plan.seed());
    } catch (NativeException e) {
      throw e.about("the input cannot be made, use a smaller one or a smaller batch");
    }
  }

  NativeSession session() {
    return session;
  }

  /** Where it runs; its name is that of the plan, or what the plan left open. */
  Device device() {
    return device;
  }

  double loadMs() {
    return loadMs;
  }

  /** One forward; its nanoseconds. */
  long firstRun() {
    try {
      return session.run();
    } catch (NativeException e) {
      if (e.code() == NativeException.Code.INPUT) throw advise(e.getMessage());
      throw about(e);
    }
  }

  /** What to say of an input that does not fit the model. */
  abstract NativeException advise(String complaint);

  /** An error, with the model's name in front. */
  NativeException about(NativeException e) {
    boolean lacksOp =
        e.code() != NativeException.Code.DEVICE && LACKS_OP.matcher(e.getMessage()).find();
    if (!lacksOp) return e.about(source.text());
    return new NativeException(
            e.code(),
            e.getMessage()
                + "; --library libops.so loads the kernels of custom ops, with --allow-native-code")
        .about(source.text());
  }

  /** What forward takes. */
  abstract List<Argument> arguments();

  /** The tensors of each set of inputs. */
  abstract List<List<Input>> describeSets();

  List<Input> describeInputs() {
    return InputSets.describe(describeSets());
  }

  abstract Model describe();

  /** Whether the file holds inputs to run with. */
  boolean hasInputs() {
    return false;
  }

  /** What the file itself says that a forward does; null where only a run can tell. */
  OpTrace graph() {
    return null;
  }

  /** One forward, recorded. */
  OpTrace trace() {
    return session.trace();
  }

  /** Whether LibTorch dispatches each op of a forward, where they can be recorded. */
  boolean showsOps() {
    return true;
  }

  /** Why there is no tier 1, where neither a run nor a graph shows the ops. */
  String unseen() {
    return null;
  }

  /** Conditions of the file on its inputs that cannot be checked, with the reasons. */
  List<String> uncheckedGuards() {
    return List.of();
  }

  /** Products of the file's graph that lead to no output. */
  int deadProducts() {
    return 0;
  }

  List<Weight> weights() {
    return session.weights();
  }

  /** Where in the arguments each input tensor lies: "x", "state.0", "batch.rgb". */
  abstract List<String> inputPaths();

  List<TensorMemory> inputs() {
    List<String> paths = inputPaths();
    List<TensorMemory> named = new ArrayList<>();
    for (TensorMemory d : session.inputs()) named.add(d.at(paths.get(named.size())));
    return named;
  }

  List<TensorMemory> outputs() {
    return session.outputs();
  }

  @Override
  public void close() {
    room.close();
    if (session != null) session.close();
    if (unpacked != null) DemoFile.delete(unpacked);
  }

  static String dtype(String precision) {
    return switch (precision) {
      case "fp16" -> "float16";
      case "bf16" -> "bfloat16";
      default -> "float32";
    };
  }
}
