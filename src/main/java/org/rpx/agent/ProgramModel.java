package org.rpx.agent;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.engine.TensorMemory;
import org.rpx.agent.exported.ExportedProgram;
import org.rpx.agent.exported.FlatProgram;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.report.EfficiencyReport.Model;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.Weight;

/** A torch.export program in memory: its graph here, laid out flat in native code. */
final class ProgramModel extends LoadedModel {
  private final ModelFile file;
  private final ExportedProgram program;
  private final List<List<InputSpec>> sets;
  private final FlatProgram flat;
  private final OpTrace graph;

  ProgramModel(ModelSource source, Path path, Plan plan) {
    super(source, plan);
    file = ModelFile.of(path);
    program = besideLibTorch(() -> read(path));
    sets = inputs(program, plan);
    // Inputs that do not fit are the command line's fault: that is found before anything is loaded.
    graph = program.traceOrNull(sets.get(0));
    flat = program.flat();
    open(() -> new NativeSession(path, device.name(), flat.numbers(), flat.words()));
    try {
      cast();
      make(sets.stream().map(program::leaves).toList());
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  private ExportedProgram read(Path path) {
    ExportedProgram program = ExportedProgram.read(path);
    file.hashed();
    return program;
  }

  /** What the plan gives, or the inputs that the program was exported with. */
  static List<List<InputSpec>> inputs(ExportedProgram program, Plan plan) {
    return plan.inputSets().stream()
        .map(set -> set.isEmpty() ? program.sampleInputs() : program.place(set))
        .map(set -> withBatch(set, plan.batch()))
        .toList();
  }

  static List<InputSpec> withBatch(List<InputSpec> set, Integer batch) {
    return batch == null ? set : set.stream().map(i -> i.withBatch(batch)).toList();
  }

  @Override
  NativeException advise(String complaint) {
    return new NativeException(
        NativeException.Code.INPUT,
        source.text()
            + ": "
            + complaint
            + "; it takes "
            + String.join(", ", program.inputNames())
            + ", and runs as it was exported without --input");
  }

  /** Of what cannot be run: which torch wrote it, and what to do. */
  @Override
  NativeException about(NativeException e) {
    if (e.code() != NativeException.Code.UNSUPPORTED) return super.about(e);
    String torch = program.torchVersion();
    return super.about(
        new NativeException(
            e.code(),
            e.getMessage()
                + (torch == null ? "" : "; torch " + torch + " wrote the file")
                + ": export the model again"
                + (e.getMessage().contains(" has no ")
                    ? " without that, or take another LibTorch (RPX_LIBTORCH)"
                    : "")));
  }

  /** The program runs with its own inputs where none are given. */
  @Override
  boolean hasInputs() {
    return true;
  }

  /** What the graph says that a forward does; null where sizes depend on values. */
  @Override
  OpTrace graph() {
    // Of a cast program the graph has the old types.
    return cast == null ? graph : null;
  }

  /** Without the numbers among the inputs, which are no tensors. */
  @Override
  OpTrace trace() {
    OpTrace ran = super.trace();
    List<Object> tensors = new ArrayList<>();
    List<Boolean> numbers = program.leafNumbers();
    for (int i = 0; i < numbers.size(); i++) if (!numbers.get(i)) tensors.add(ran.inputs().get(i));
    return new OpTrace(ran.calls(), tensors, ran.outputs());
  }

  @Override
  List<Weight> weights() {
    return cast == null ? program.weights() : session().weights();
  }

  @Override
  List<String> uncheckedGuards() {
    return program.uncheckedGuards(sets.get(0));
  }

  @Override
  int deadProducts() {
    return program.deadProducts();
  }

  @Override
  List<Argument> arguments() {
    return program.inputNames().stream().map(n -> new Argument(n, "Tensor", true)).toList();
  }

  @Override
  List<String> inputPaths() {
    return program.leafPaths();
  }

  @Override
  List<List<Input>> describeSets() {
    return sets.stream().map(s -> Arguments.describe(s, arguments(), cast)).toList();
  }

  /** By the paths in what forward gives back. */
  @Override
  List<TensorMemory> outputs() {
    return session().outputs().stream()
        .map(d -> d.at(flat.outputs().get(Integer.parseInt(d.path()))))
        .toList();
  }

  @Override
  Model describe() {
    return new Model(source.text(), "torch.export", file.bytes(), file.sha256());
  }
}
