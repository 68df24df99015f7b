package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rpx.agent.exported.GraphText.argument;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.tier1.FlopRegistry;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier1.TrafficModel;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** Programs that torch exported, with values known by arithmetic from their layers. */
class ExportedProgramTest {
  private static ExportedProgram read(String name) {
    return ExportedProgram.read(TestArchive.resource(name));
  }

  private static ModelProperties count(ExportedProgram program, List<InputSpec> inputs) {
    return ModelProperties.of(
        program.trace(inputs),
        program.weights(),
        FlopRegistry.standard(),
        TrafficModel.COMPULSORY,
        false);
  }

  private static List<InputSpec> inputs(String... texts) {
    return java.util.Arrays.stream(texts).map(InputSpec::parse).toList();
  }

  private static List<String> ops(ExportedProgram program) {
    return program.trace(null).calls().stream().map(OpCall::name).toList();
  }

  @Test
  void attentionWithoutWeights() {
    ExportedProgram program = read("export_case_01_sdpa");
    ModelProperties counted = count(program, null);
    assertThat(counted.params()).isZero();
    assertThat(counted.flopsByOp())
        .isEqualTo(Map.of("aten::scaled_dot_product_attention", 12_582_912L));
    assertThat(counted.flopsComplete()).isTrue();
    assertThat(counted.traffic().compulsoryBytes()).isEqualTo(393_216);
    assertThat(counted.activations().livenessPeakBytes()).isEqualTo(196_608);
    assertThat(program.torchVersion()).isEqualTo("2.13.0+cpu");
    assertThat(program.schemaVersion()).isEqualTo("8.20");
  }

  /** x (4, 8) goes through a linear of 8 to 2, one that does not fit it, and an op of nobody's. */
  @Test
  void aRuleThatFailsLeavesOneOpUnknown(@TempDir Path folder) throws IOException {
    GraphText graph = new GraphText().tensor("x", 4, 8).input("x").tensor("w", 2, 8).input("w");
    graph.tensor("y", 4, 2).tensor("z", 4, 2).tensor("u", 4, 2);
    graph.call("linear", "a", argument("input", "x") + ", " + argument("weight", "w"), "y");
    graph.call("mm", "a", argument("self", "y") + ", " + argument("mat2", "x"), "z");
    graph.call("my.own", "a", argument("self", "z"), "u");
    ExportedProgram program =
        ExportedProgram.read(graph.archive("u").write(folder.resolve("m.pt2")));

    ModelProperties counted = count(program, null);

    assertThat(counted.flops()).isEqualTo(2 * 4 * 8 * 2);
    assertThat(counted.uncountedOps()).containsOnlyKeys("aten::mm", "my::own");
    // (x, w, y), (y, x, z) and (z, u)
    assertThat(counted.traffic().unfusedBytes()).isEqualTo(4 * (32 + 16 + 8 + 8 + 32 + 8 + 8 + 8));
  }

  @Test
  void inputsInADict() {
    ExportedProgram program = read("export_dict_input");
    assertThat(program.sampleInputs())
        .isEqualTo(inputs("batch:{rgb=1x3x96x128,depth=1x1x96x128,state=1x16}"));
    ModelProperties counted = count(program, null);
    assertThat(counted.params()).isEqualTo(10_855);
    assertThat(counted.flopsByOp())
        .isEqualTo(Map.of("aten::conv2d", 17_694_720L, "aten::linear", 1_920L));
    assertThat(counted.traffic().compulsoryBytes()).isEqualTo(240_248);
    assertThat(counted.activations().livenessPeakBytes()).isEqualTo(786_432);
    // Keys go by name.
    assertThat(count(program, inputs("{state=1x16,rgb=1x3x96x128,depth=1x1x96x128}")))
        .isEqualTo(counted);
  }

  @Test
  void anyBatch() {
    ExportedProgram program = read("export_dynamic_batch");
    assertThat(program.sampleInputs()).isEqualTo(inputs("x:2x3x64x64"));
    ModelProperties two = count(program, null);
    assertThat(two.flops()).isEqualTo(27_427_296);
    assertThat(two.traffic().compulsoryBytes()).isEqualTo(184_776);
    assertThat(two.activations().livenessPeakBytes()).isEqualTo(393_216);
    ModelProperties five = count(program, inputs("5x3x64x64"));
    assertThat(five.flopsByOp())
        .isEqualTo(
            Map.of(
                "aten::conv2d",
                44_974_080L,
                "aten::conv_transpose2d",
                23_592_960L,
                "aten::linear",
                1_200L));
    assertThat(five.traffic().compulsoryBytes()).isEqualTo(332_352);
    assertThat(five.activations().livenessPeakBytes()).isEqualTo(983_040);
    assertThat(five.params()).isEqualTo(two.params()).isEqualTo(21_598);
  }

  @Test
  void recurrentLayers() {
    ModelProperties counted = count(read("export_policy_lstm"), null);
    assertThat(counted.params()).isEqualTo(931_976);
    assertThat(counted.trainableParams()).isEqualTo(931_976);
    assertThat(counted.flopsByOp())
        .isEqualTo(Map.of("aten::lstm", 36_700_160L, "aten::linear", 331_776L));
    assertThat(counted.traffic().compulsoryBytes()).isEqualTo(3_733_056);
    assertThat(counted.activations().livenessPeakBytes()).isEqualTo(38_912);
  }

  @Test
  void modesTiesBuffersAndConstants() {
    ExportedProgram program = read("modes");
    assertThat(program.sampleInputs()).isEqualTo(inputs("x:{in=(4x8,4x8)}", "extra:2"));
    ModelProperties counted = count(program, null);
    // Both linears have one weight; their modes are no ops.
    assertThat(counted.params()).isEqualTo(64 + 8 + 8);
    assertThat(counted.buffers()).isEqualTo(3 + 24);
    assertThat(counted.flopsByOp()).isEqualTo(Map.of("aten::linear", 2L * 2 * 4 * 8 * 8));
    assertThat(counted.uncountedOps()).isEmpty();
    assertThat(program.weights().stream().map(w -> w.kind() + " " + w.name()))
        .containsExactly(
            "parameter first.weight",
            "parameter first.bias",
            "parameter second.weight",
            "parameter second.bias",
            "buffer count",
            "buffer scratch",
            "constant constant");
    OpTrace trace = program.trace(null);
    TensorInfo result = trace.calls().get(2).result(0);
    assertThat(result.dtype()).isEqualTo("bfloat16");
    assertThat(trace.calls().get(0).name()).isEqualTo("aten::add_");
    assertThat(trace.calls().get(0).result(0)).isEqualTo(weight(program, "count"));
    assertThat(trace.inputs().get(0)).isInstanceOf(List.class);
  }

  private static TensorInfo weight(ExportedProgram program, String name) {
    for (Weight w : program.weights()) if (w.name().equals(name)) return w.tensor();
    throw new AssertionError(name);
  }

  @Test
  void aBranchIsUnknown() {
    ModelProperties counted = count(read("branch"), null);
    assertThat(counted.uncountedOps()).containsOnlyKeys("higher_order::cond");
    assertThat(counted.uncountedOps().get("higher_order::cond").calls()).isEqualTo(1);
    assertThat(counted.flopsComplete()).isFalse();
    assertThat(counted.params()).isEqualTo(2 * 72);
  }

  @Test
  void deadNodesDoNotRun() {
    ExportedProgram program = read("dead");
    assertThat(ops(program)).containsExactly("aten::add");
    assertThat(program.deadProducts()).isEqualTo(1);
    assertThat(read("modes").deadProducts()).isZero();
  }

  @Test
  void aSizeThatFollowsFromAnother() {
    ExportedProgram program = read("derived");
    assertThat(program.sampleInputs()).isEqualTo(inputs("x:3x8", "y:6x8"));
    assertThat(count(program, inputs("10x8", "20x8")).flops()).isEqualTo(2 * 10 * 64);
    assertThat(count(program, inputs("y:20x8", "x:10x8")).flops()).isEqualTo(2 * 10 * 64);
  }

  @Test
  void aBufferIsWrittenBack() {
    assertThat(ops(read("functional"))).containsExactly("aten::add", "aten::add", "aten::copy_");
  }

  @Test
  void theLayoutOfTorch25() {
    ExportedProgram program = read("old_layout");
    assertThat(program.schemaVersion()).isEqualTo("7.3");
    assertThat(program.torchVersion()).isNull();
    assertThat(program.sampleInputs()).isEqualTo(inputs("x:2x3x8x8"));
    ModelProperties counted = count(program, inputs("5x3x8x8"));
    assertThat(counted.params()).isEqualTo(4 * 3 * 9 + 4);
    assertThat(counted.flops()).isEqualTo(2L * 5 * 16 * 108);
    // The convolution's result (in place, flattened, reshaped) and what cat makes of it.
    assertThat(counted.activations().livenessPeakBytes()).isEqualTo(4 * (5 * 64 + 2 * 5 * 64));
  }

  @Test
  void repeats() {
    ExportedProgram program = read("modes");
    assertThat(program.trace(null)).isEqualTo(program.trace(program.sampleInputs()));
    assertThat(read("modes").trace(null)).isEqualTo(program.trace(null));
  }
}
