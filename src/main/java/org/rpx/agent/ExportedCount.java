package org.rpx.agent;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.exported.CompiledPackage;
import org.rpx.agent.exported.ExportedProgram;
import org.rpx.agent.exported.ProgramException;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.EfficiencyReport.Model;
import org.rpx.agent.report.Warning;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.OpTrace;

/**
 * Tiers 1 and 2 of a torch.export program, from its graph alone: LibTorch is not loaded, and no
 * weight is read.
 */
final class ExportedCount {
  private static final long MOST_HASHED = 16 << 20;

  private final ModelSource.File source;
  private final Plan plan;

  private ExportedCount(ModelSource.File source, Plan plan) {
    this.source = source;
    this.plan = plan;
  }

  /** Whether a plan asks for no more than the graph of this model can tell. */
  static boolean suits(ModelSource source, Plan plan) {
    return !plan.timed()
        && source instanceof ModelSource.File file
        && ExportedProgram.isArchive(file.path());
  }

  static EfficiencyReport count(ModelSource source, Plan plan, Watch watch) {
    watch.phase("count");
    try {
      return new ExportedCount((ModelSource.File) source, plan).count();
    } catch (ProgramException e) {
      // What is wrong with the file is the model's fault, not that of the command line.
      throw new NativeException(NativeException.Code.MODEL_FORMAT, e.getMessage());
    }
  }

  private EfficiencyReport count() {
    PackageModel.checkGraph(source, plan);
    boolean compiled = CompiledPackage.is(source.path());
    if (plan.precision() != null)
      throw new IllegalArgumentException(
          source.text()
              + " keeps the precision that it was exported in (--precision): cast the model with"
              + " .half() or .bfloat16() and export it again");
    Path graph = plan.graph() == null ? source.path() : plan.graph();
    ExportedProgram program = ExportedProgram.read(graph);
    List<List<InputSpec>> sets = ProgramModel.inputs(program, plan);
    List<InputSpec> inputs = sets.get(0);
    boolean samples = plan.inputs().isEmpty() && plan.batch() == null;
    OpTrace trace = program.trace(samples ? null : program.place(inputs));
    ModelProperties properties = Tier1.of(source.text(), trace, program.weights(), plan);
    ReportBuilder report =
        new ReportBuilder(plan, describe(program.inputNames(), sets), properties);
    int dead = program.deadProducts();
    if (dead > 0)
      report
          .findings()
          .warn(
              Warning.Code.DEAD_CODE,
              dead
                  + (dead == 1 ? " product" : " products")
                  + " of the graph lead to no output: an executor drops them, and they are not"
                  + " counted");
    report.findings().unchecked(program.uncheckedGuards(samples ? null : inputs));
    return report.build(model(report, compiled ? "aotinductor" : "torch.export"), Map.of());
  }

  private static List<EfficiencyReport.Input> describe(
      List<String> names, List<List<InputSpec>> sets) {
    List<Argument> arguments = names.stream().map(n -> new Argument(n, "Tensor", true)).toList();
    return InputSets.describe(
        sets.stream().map(s -> Arguments.describe(s, arguments, null)).toList());
  }

  /** The hash of a small file; that of a large one would take longer than the count. */
  private Model model(ReportBuilder report, String format) {
    ModelFile file = ModelFile.of(source.path());
    boolean small = file.bytes() <= MOST_HASHED;
    if (!small)
      report
          .findings()
          .warn(
              Warning.Code.UNAVAILABLE,
              "model.sha256: the file is not read through to count it; sha256sum tells it");
    return new Model(source.text(), format, file.bytes(), small ? file.sha256() : null);
  }
}
