package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;

/** Models of both formats count and reckon on the simulated accelerator as on the CPU. */
class DeviceModelsTest {
  private static final Path RESOURCES = Path.of("src/test/resources");
  // unknown_op makes a tensor on the CPU whatever its input's device; slow takes long; the last is
  // no model.
  private static final Set<String> LEFT_OUT =
      Set.of("unknown_op.pt", "slow.pt", "state_dict.pt", "loop.pt");

  @BeforeEach
  void asNew() {
    Simulator.reset();
  }

  static Stream<JsonNode> models() throws IOException {
    JsonNode all = new ObjectMapper().readTree(RESOURCES.resolve("models/expected.json").toFile());
    List<JsonNode> chosen = new ArrayList<>();
    all.path("models")
        .forEach(m -> Stream.of(m).filter(DeviceModelsTest::runs).forEach(chosen::add));
    return chosen.stream();
  }

  private static boolean runs(JsonNode model) {
    return !LEFT_OUT.contains(model.path("file").asText());
  }

  private static Plan plan(Plan base, JsonNode model) {
    List<String> inputs = new ArrayList<>();
    model.path("inputs").forEach(i -> inputs.add(text(i)));
    return DeviceTest.plan(base, inputs.toArray(String[]::new));
  }

  private static String text(JsonNode input) {
    if (input.path("kind").asText().equals("dict")) {
      List<String> items = new ArrayList<>();
      input
          .path("items")
          .fields()
          .forEachRemaining(e -> items.add(e.getKey() + "=" + text(e.getValue())));
      return "{" + String.join(",", items) + "}";
    }
    List<String> sizes = new ArrayList<>();
    input.path("shape").forEach(s -> sizes.add(s.asText()));
    return String.join("x", sizes) + ":" + input.path("dtype").asText();
  }

  private static ModelSource model(JsonNode model) {
    return ModelSource.parse(
        RESOURCES.resolve("models").resolve(model.path("file").asText()).toString());
  }

  @ParameterizedTest
  @MethodSource("models")
  void countsAsTheLayersSay(JsonNode model) {
    EfficiencyReport report = Rpx.profile(model(model), plan(Plan.counting(), model));

    assertThat(report.tier1().flops()).isEqualTo(model.path("flops").asLong());
    assertThat(report.tier1().params()).isEqualTo(model.path("params").asLong());
    assertThat(report.warnings())
        .extracting(Warning::code)
        .doesNotContain(Warning.Code.COUNTED_ON_CPU, Warning.Code.UNAVAILABLE);
  }

  /** Dynamically quantised layers have kernels on the CPU alone; the count is the same there. */
  @Test
  void countsOnTheCpuWhatTheDeviceHasNoKernelFor() {
    ModelSource model =
        ModelSource.parse(RESOURCES.resolve("models/int8_dynamic_mlp.pt").toString());
    Plan plan = DeviceTest.plan(Plan.counting(), "2x64");

    EfficiencyReport report = Rpx.profile(model, plan);
    // Two layers, 64 to 128 to 10, two operations a weight for each of 2 rows.
    assertThat(report.tier1().flops()).isEqualTo(2 * 2 * (64 * 128 + 128 * 10));
    assertThat(report.warnings())
        .filteredOn(w -> w.code() == Warning.Code.COUNTED_ON_CPU)
        .singleElement()
        .satisfies(w -> assertThat(w.message()).contains("Could not run '"));
    NativeException timed =
        catchThrowableOfType(NativeException.class, () -> Rpx.profile(model, plan.withTimed(true)));
    assertThat(timed.code()).isEqualTo(NativeException.Code.UNSUPPORTED);
    assertThat(timed.getMessage()).doesNotContain("registered at");
  }

  @ParameterizedTest
  @MethodSource("models")
  void reckonsAsTheCpuDoes(JsonNode model) {
    sameOutputs(model(model), plan(Plan.counting(), model));
  }

  /** functional.pt2 and modes.pt2 make tensors on the device that the graph names. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "relu.pt2",
        "functional.pt2",
        "modes.pt2",
        "branch.pt2",
        "changes_input.pt2",
        "changes_input_functional.pt2",
        "derived.pt2",
        "value_sized.pt2",
        "export_dict_input.pt2",
        "export_policy_lstm.pt2"
      })
  void exportedProgramsToo(String file) {
    ModelSource model = ModelSource.parse(RESOURCES.resolve("exported").resolve(file).toString());
    Plan plan = DeviceTest.plan(Plan.defaults().withWarmup(0).withIterations(2));

    EfficiencyReport onDevice = Rpx.profile(model, plan);
    EfficiencyReport onCpu = Rpx.profile(model, plan.withDevice("cpu"));

    assertThat(onDevice.tier3().device()).isEqualTo("sim:0");
    assertThat(onDevice.tier1()).isEqualTo(onCpu.tier1());
    assertThat(onDevice.warnings())
        .extracting(Warning::code)
        .doesNotContain(Warning.Code.COUNTS_DIFFER, Warning.Code.COUNTED_ON_CPU);
    sameOutputs(model, plan);
  }

  /**
   * The simulated device has no fused attention: its result lies contiguously, so that each of the
   * four layers copies 50 x 128 floats to merge the heads, where the graph has a view.
   */
  @Test
  void copiesThatTheDeviceAloneNeedsAreNoFaultOfTheFile() {
    Plan plan = DeviceTest.plan(Plan.defaults().withWarmup(0).withIterations(1));

    EfficiencyReport report = Rpx.profile(ModelSource.parse("demo:policy_transformer"), plan);

    long unfused = report.tier1().traffic().unfusedBytes();
    long copies = 4 * 2 * (50 * 128 * 4);
    assertThat(report.warnings())
        .filteredOn(w -> w.code() == Warning.Code.COUNTS_DIFFER)
        .singleElement()
        .extracting(Warning::message)
        .asString()
        .contains("unfused bytes (" + unfused + ", ran " + (unfused + copies) + ")")
        .endsWith("kernels of sim:0 lay out results in another way, and copies follow")
        .doesNotContain("FLOPs (");
  }

  private static void sameOutputs(ModelSource model, Plan plan) {
    try (Session there = Rpx.session(model, SessionOptions.of(plan).withWarmup(0));
        Session here =
            Rpx.session(model, SessionOptions.of(plan.withDevice("cpu")).withWarmup(0))) {
      there.run();
      here.run();
      List<SessionTensor> expected = here.outputs();
      List<SessionTensor> given = there.outputs();
      assertThat(given).hasSameSizeAs(expected).isNotEmpty();
      for (int i = 0; i < given.size(); i++) {
        assertThat(given.get(i).shape()).isEqualTo(expected.get(i).shape());
        if (!expected.get(i).dtype().equals("float32")) continue;
        FloatBuffer want = expected.get(i).asFloatBuffer();
        FloatBuffer got = given.get(i).asFloatBuffer();
        for (int n = 0; n < want.limit(); n++)
          if (Float.isFinite(want.get(n)))
            assertThat(got.get(n))
                .isCloseTo(want.get(n), org.assertj.core.data.Offset.offset(1e-5f));
      }
    }
  }
}
