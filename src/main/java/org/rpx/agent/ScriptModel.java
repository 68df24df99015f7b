package org.rpx.agent;

import java.nio.file.Path;
import java.util.List;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.report.EfficiencyReport.Model;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.InputSpec;

/** A TorchScript module in memory. */
final class ScriptModel extends LoadedModel {
  private final ModelFile file;
  private final List<Argument> arguments;
  private final List<List<InputSpec>> sets;

  ScriptModel(ModelSource source, Path path, Plan plan) {
    super(source, plan);
    file = besideLibTorch(() -> ModelFile.torchScript(path).hashed());
    open(() -> new NativeSession(path, device.name()));
    try {
      arguments = session().signature();
      cast();
      sets = plan.inputSets().stream().map(this::fit).toList();
      make(sets);
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  private List<InputSpec> fit(List<InputSpec> set) {
    try {
      List<InputSpec> given = set.isEmpty() ? List.of(Plan.DEFAULT_INPUT) : set;
      if (arguments.isEmpty() && plan.inputs().isEmpty()) given = List.of();
      return Arguments.fit(given, arguments, plan.batch());
    } catch (IllegalArgumentException e) {
      throw advise(e.getMessage());
    }
  }

  /** An input that does not fit comes back with the model's signature and an input to try. */
  @Override
  NativeException advise(String complaint) {
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
            + new InputAdvice(session(), arguments).after(complaint));
  }

  @Override
  List<Argument> arguments() {
    return arguments;
  }

  @Override
  List<String> inputPaths() {
    return describeSets().get(0).stream().map(Input::name).toList();
  }

  @Override
  List<List<Input>> describeSets() {
    return sets.stream().map(s -> Arguments.describe(s, arguments, cast)).toList();
  }

  /** Reads the whole file once more, for its hash. */
  @Override
  Model describe() {
    return new Model(source.text(), "torchscript", file.bytes(), file.sha256());
  }
}
