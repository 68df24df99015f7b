package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rpx.agent.exported.EditedProgram;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.report.Warning;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.Values;

/**
 * forward(rows: int, x, options: {times: int, shift}) gives linear(x[:rows]) and x · times + shift;
 * the linear layer of 8 x 8 is all zeros, x has 6 rows, and was exported with rows 3 and times 5
 * (make_exported.py).
 */
class ProgramNumbersTest {
  private static final Path FILE = Path.of("src/test/resources/exported/numbers.pt2");
  private static final ModelSource MODEL = ModelSource.of(FILE);

  @TempDir Path folder;

  private static Plan plan(String... inputs) {
    return Plan.defaults().withInputs(Arrays.stream(inputs).map(InputSpec::parse).toList());
  }

  /** x is 2 and shift 1. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "x:6x8=2 options:{shift=8=1};                                             3; 11",
        "6x8=2 {shift=8=1};                                                       3; 11",
        "6x8=2 {shift=8=1} scalar:int64=4;                                        4; 11",
        "scalar:int64=4 6x8=2 {times=scalar:int64=7,shift=8=1};                   4; 15",
        "options:{shift=8=1,times=scalar:int64=0} rows:scalar:int64=2 x:6x8=2;    2; 1",
      })
  void runsWithTheNumbersGivenOrTheExamples(String inputs, int rows, float second) {
    try (Session session =
        Rpx.session(MODEL, SessionOptions.of(plan(inputs.split(" "))).withWarmup(0))) {
      for (int run = 0; run < 2; run++) {
        session.run();
        assertThat(session.outputs().get(0).shape()).containsExactly((long) rows, 8L);
        assertThat(floats(session.outputs().get(0))).containsOnly(0);
        assertThat(floats(session.outputs().get(1))).hasSize(48).containsOnly(second);
      }
      assertThat(session.inputs())
          .extracting(SessionTensor::path)
          .containsExactly("rows", "x", "options.times", "options.shift");
      assertThat(session.inputs().get(0).asByteBuffer().getLong(0)).isEqualTo(rows);
    }
  }

  @Test
  void anArraysNumberIsTaken() {
    ByteBuffer four = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder()).putLong(4).flip();
    InputSpec rows =
        new InputSpec.Tensor("rows", List.of(), "int64", new Values.File("in.npz", four));
    Plan given =
        Plan.counting()
            .withInputs(List.of(rows, InputSpec.parse("6x8"), InputSpec.parse("{shift=8}")));

    assertThat(Rpx.profile(MODEL, given).tier1().flops()).isEqualTo(2 * 4 * 8 * 8);
    try (Session session = Rpx.session(MODEL, SessionOptions.of(given).withWarmup(0))) {
      session.run();
      assertThat(session.outputs().get(0).shape().get(0)).isEqualTo(4);
    }
  }

  @Test
  void theCountFollowsTheNumberAndIsWhatRan() {
    Plan given = plan("rows:scalar:int64=4", "x:6x8", "options:{shift=8}");
    EfficiencyReport counted = Rpx.profile(MODEL, given.withTimed(false));
    EfficiencyReport measured =
        Rpx.profile(MODEL, given.withIterations(2).withWarmup(0).withThreads(1));

    for (EfficiencyReport report : List.of(counted, measured)) {
      assertThat(report.tier1().flops()).isEqualTo(2 * 4 * 8 * 8);
      // Parameters 8·8 + 8, x 6·8, shift 8, outputs 4·8 and 6·8; numbers are no memory.
      assertThat(report.tier1().traffic().compulsoryBytes()).isEqualTo(4 * (72 + 48 + 8 + 32 + 48));
      assertThat(report.inputs())
          .extracting(Input::name, Input::values)
          .contains(tuple("rows", "fill 4"), tuple("options.times", "fill 5"));
      assertThat(report.warnings()).noneMatch(w -> w.code() == Warning.Code.COUNTS_DIFFER);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "scalar:int64=7; input rows is 7, the program was exported for 0 to 6",
        "scalar:int64=-1; input rows is -1, the program was exported for 0 to 6",
        "scalar:int64=1; input rows is 1: the program was exported for L['rows'] != 1; give",
        "scalar:int64=0; input rows is 0: the program was exported for 8*L['rows'] >= 2; give",
        "scalar:float32=3; input rows is a number; write it as rows:scalar:int64=…",
        "1:int64=3; input rows is a number; write it as rows:scalar:int64=…",
        "scalar:int64=0..4; cannot be drawn; write it as rows:scalar:int64=…",
      })
  void whatDoesNotFitIsRefused(String rows, String says) {
    Plan given = plan("rows:" + rows, "x:6x8", "options:{shift=8}");
    for (Plan each : List.of(given, given.withTimed(false)))
      assertThatThrownBy(() -> Rpx.profile(MODEL, each))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("numbers.pt2: ")
          .hasMessageContaining(says);
  }

  /** torch.export makes none yet, but its format has them: x times 0.5 in the example. */
  @Test
  void realNumbersAreTakenToo() throws IOException {
    ModelSource model =
        ModelSource.of(EditedProgram.write(FILE, folder, ProgramNumbersTest::realTimes));
    try (Session session =
        Rpx.session(model, SessionOptions.of(plan("6x8=2", "{shift=8=1}")).withWarmup(0))) {
      session.run();
      assertThat(floats(session.outputs().get(1))).hasSize(48).containsOnly(2);
    }
    String given = "{times=scalar:float64=-1.25,shift=8=1}";
    try (Session session =
        Rpx.session(model, SessionOptions.of(plan("6x8=2", given)).withWarmup(0))) {
      session.run();
      assertThat(floats(session.outputs().get(1))).hasSize(48).containsOnly(-1.5f);
    }
  }

  private static void realTimes(JsonNode program) {
    JsonNode graph = program.at("/graph_module/graph");
    ((ObjectNode) graph.get("sym_int_values")).remove("options_times");
    ((ObjectNode) graph.get("sym_float_values")).putObject("options_times").put("as_float", 0.5);
    for (JsonNode named : program.findParents("as_sym_int"))
      if (named.at("/as_sym_int/as_name").asText().equals("options_times"))
        ((ObjectNode) named).set("as_sym_float", ((ObjectNode) named).remove("as_sym_int"));
  }

  private static float[] floats(SessionTensor data) {
    FloatBuffer floats = data.asFloatBuffer();
    float[] values = new float[floats.remaining()];
    floats.get(values);
    return values;
  }
}
