package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeException.Code;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.report.Warning;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.trace.InputSpec;

class RpxTest {
  private static final Path MODELS = Path.of("src/test/resources/models");

  /** What arithmetic from the layers' sizes says of each model, twice. */
  @ParameterizedTest
  @MethodSource("countable")
  void countsEachModel(JsonNode expected) {
    Plan plan = Plan.counting().withInputs(inputs(expected));

    EfficiencyReport report = Rpx.profile(model(expected.path("file").asText()), plan);
    EfficiencyReport again = Rpx.profile(model(expected.path("file").asText()), plan);

    ModelProperties tier1 = report.tier1();
    assertThat(tier1.params()).isEqualTo(expected.path("params").asLong());
    assertThat(tier1.trainableParams()).isEqualTo(expected.path("trainable_params").asLong());
    assertThat(tier1.buffers()).isEqualTo(expected.path("buffers").asLong());
    assertThat(tier1.flops()).isEqualTo(expected.path("flops").asLong());
    assertThat(tier1.macs()).isEqualTo(expected.path("flops").asLong() / 2);
    assertThat(tier1.precision()).isEqualTo("fp32");
    assertThat(report.tier3()).isNull();
    assertThat(again.tier1()).isEqualTo(tier1);
    assertThat(again.tier2()).isEqualTo(report.tier2());
    assertThat(again.inputs()).isEqualTo(report.inputs());
    assertThat(again.warnings()).isEqualTo(report.warnings());
  }

  @Test
  void whatHasNoRuleIsNamed() {
    EfficiencyReport report = count("unknown_op.pt", "4x4");

    assertThat(report.tier1().flopsComplete()).isFalse();
    assertThat(report.tier1().uncountedOps())
        .containsEntry("aten::linalg_solve", new ModelProperties.Uncounted(1, 192L))
        .doesNotContainKeys("aten::linear", "aten::add", "aten::mul");
    assertThat(report.warnings()).extracting(Warning::code).contains(Warning.Code.FLOPS_INCOMPLETE);
    assertThat(count("tied.pt", "4x16").tier1().flopsComplete()).isTrue();
  }

  @Test
  void nestedInputsAreNamedByPath() {
    EfficiencyReport report = count("dict_input.pt", "{a=2x8,b=2x4}");

    assertThat(report.inputs())
        .containsExactlyInAnyOrder(
            new Input("d.a", List.of(2L, 8L), "float32", "seeded uniform"),
            new Input("d.b", List.of(2L, 4L), "float32", "seeded uniform"));
  }

  @Test
  void resnet18HasThePublishedFigures() {
    Plan plan = Plan.counting().withInputs(List.of(InputSpec.parse("1x3x224x224")));

    EfficiencyReport report = Rpx.profile(ModelSource.parse("demo:resnet18"), plan);

    ModelProperties tier1 = report.tier1();
    assertThat(tier1.flops()).isEqualTo(3_628_146_688L);
    assertThat(tier1.macs()).isEqualTo(1_814_073_344L);
    assertThat(tier1.flopsComplete()).isTrue();
    assertThat(tier1.params()).isEqualTo(11_689_512);
    assertThat(tier1.trainableParams()).isEqualTo(11_689_512);
    // Means and variances of 4800 channels, and a counter for each of 20 layers.
    assertThat(tier1.buffers()).isEqualTo(2 * 4_800 + 20);
    // (11,689,512 parameters + 3 x 224 x 224 in + 1000 out) x 4
    assertThat(tier1.traffic().compulsoryBytes()).isEqualTo(47_364_160);
    // Two of the first layer's 64 x 112 x 112 maps x 4
    assertThat(tier1.activations().livenessPeakBytes()).isEqualTo(6_422_528);
    assertThat(tier1.activations().livenessPeakFp16Bytes()).isEqualTo(6_422_528 / 2);
    assertThat(report.model().path()).isEqualTo("demo:resnet18");
  }

  @Test
  void aPrecisionHalvesTheTraffic() {
    EfficiencyReport fp32 = count("tied.pt", "4x16");
    EfficiencyReport bf16 = Rpx.profile(model("tied.pt"), plan("bf16", null, "4x16"));

    assertThat(fp32.tier1().traffic().compulsoryBytes()).isEqualTo((272 + 2 * 4 * 16) * 4);
    assertThat(bf16.tier1().traffic().compulsoryBytes()).isEqualTo((272 + 2 * 4 * 16) * 2);
    assertThat(bf16.tier1().precision()).isEqualTo("bf16");
    assertThat(bf16.inputs())
        .containsExactly(new Input("x", List.of(4L, 16L), "bfloat16", "seeded uniform"));
  }

  @Test
  void aBatchMultipliesTheWork() {
    EfficiencyReport report = Rpx.profile(model("tied.pt"), plan(null, 12, "4x16"));

    assertThat(report.tier1().flops()).isEqualTo(3 * 4096);
    assertThat(report.inputs())
        .containsExactly(new Input("x", List.of(12L, 16L), "float32", "seeded uniform"));
  }

  @Test
  void measuresAsOftenAsAsked() {
    Plan plan = timed(7, null, "2x3x16x16");

    EfficiencyReport report = Rpx.profile(model("bn_train.pt"), plan);

    assertThat(report.tier3().samples().count()).isEqualTo(7);
    assertThat(report.tier3().batch()).isEqualTo(2);
    assertThat(report.tier3().device()).isEqualTo("cpu");
    assertThat(report.tier3().warmupRuns()).isGreaterThanOrEqualTo(3);
    assertThat(report.tier3().threads().operators()).isEqualTo(1);
    assertThat(report.tier3().firstRunMs()).isPositive();
    assertThat(report.tier1().flops()).isEqualTo(169_344);
    assertThat(report.warnings())
        .extracting(Warning::code)
        .contains(Warning.Code.TOO_FEW_SAMPLES)
        .doesNotContain(Warning.Code.DEFAULT_INPUT);
    long[] ns = report.tier3().samples().durationsNs();
    Arrays.sort(ns);
    assertThat((Double) report.metadata().toTableRow().get("latency_p50_ms"))
        .isEqualTo(ns[3] / 1e6, within(0.0005 + 1e-9));
  }

  @Test
  void anApiModelHasARowAndNothingElse() {
    EfficiencyReport report = Rpx.profile(ModelSource.parse("api:gpt-4o"), Plan.defaults());

    assertThat(report.metadata().toTableRow())
        .containsEntry("type", "api")
        .containsEntry("params_m", "N/A (API)")
        .containsEntry("flops_g", "N/A (API)")
        .containsEntry("macs_g", "N/A (API)")
        .containsEntry("latency_p50_ms", null);
    assertThat(report.model())
        .isEqualTo(new EfficiencyReport.Model("api:gpt-4o", "api", null, null));
    assertThat(report.tier1()).isNull();
    assertThat(report.tier2()).isEmpty();
    assertThat(report.tier3()).isNull();
  }

  @Test
  void aSessionIsRunByHand() {
    Session session =
        Rpx.session(
            model("two_inputs.pt"),
            SessionOptions.of(plan(null, null, "b:1x4", "a:1x8")).withWarmup(0));
    try (session) {
      assertThat(session.signature()).extracting(a -> a.name()).containsExactly("a", "b");
      assertThat(session.weights())
          .extracting(w -> w.name())
          .containsExactly("fc.weight", "fc.bias");
      FloatBuffer a = session.inputs().get(0).asFloatBuffer();
      FloatBuffer b = session.inputs().get(1).asFloatBuffer();
      a.put(new float[] {1, 2, 3, 4, 5, 6, 7, 8});
      b.put(new float[] {0, 1, 2, 3});

      session.run();

      float[] out = new float[4];
      session.outputs().get(0).asFloatBuffer().get(out);
      // The mean of 1 to 8, and b.
      assertThat(out).containsExactly(new float[] {4.5f, 5.5f, 6.5f, 7.5f}, within(1e-5f));
    }
    session.close();
    assertThatThrownBy(session::run).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aSessionSaysWhatTheModelTakes() {
    try (Session session =
        Rpx.session(
            model("bn_train.pt"), SessionOptions.of(plan(null, null, "1x3")).withWarmup(0))) {
      NativeException e = catchThrowableOfType(NativeException.class, session::run);

      assertThat(e.code()).isEqualTo(Code.INPUT);
      assertThat(e)
          .hasMessageStartingWith(MODELS.resolve("bn_train.pt").toString())
          .hasMessageContaining("forward(input: Tensor)")
          .hasMessageContaining("--input 1x3x");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"state_dict.pt", "expected.json", "none.pt"})
  void whatIsNoTorchScriptIsRefused(String file) {
    NativeException e =
        catchThrowableOfType(
            NativeException.class, () -> Rpx.profile(model(file), Plan.counting()));

    assertThat(e.code()).isEqualTo(Code.MODEL_FORMAT);
    assertThat(e).hasMessageContaining(file);
  }

  @Test
  void aWatcherEndsTheTimedLoop() {
    Canceller watch = new Canceller("time");
    Plan plan = timed(null, Duration.ofHours(1), "2x3x16x16");

    assertThatThrownBy(() -> Rpx.profile(model("bn_train.pt"), plan, watch))
        .isInstanceOf(CancelledException.class);

    assertThat(watch.phases).containsExactly("load", "count", "threads", "warm-up", "time");
    assertThat(watch.timed).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"count", "threads", "warm-up"})
  void aWatcherEndsEveryPhase(String phase) {
    Canceller watch = new Canceller(phase);
    Plan plan = timed(null, Duration.ofHours(1), "2x3x16x16");

    assertThatThrownBy(() -> Rpx.profile(model("bn_train.pt"), plan, watch))
        .isInstanceOf(CancelledException.class);

    assertThat(watch.phases).endsWith(phase);
    assertThat(watch.timed).isZero();
  }

  /** Cancels when a phase begins; the timed one from another thread, when it has run a little. */
  private static final class Canceller implements Watch {
    private final String phase;
    private final List<String> phases = new ArrayList<>();
    private Runnable cancel;
    private int timed;

    Canceller(String phase) {
      this.phase = phase;
    }

    @Override
    public void cancellable(Runnable cancel) {
      this.cancel = cancel;
    }

    @Override
    public void phase(String name) {
      phases.add(name);
      if (name.equals(phase) && !name.equals("time")) cancel.run();
    }

    @Override
    public void timing(LongSupplier done, int of, long limitNs) {
      long before = done.getAsLong();
      Thread other =
          new Thread(
              () -> {
                while (done.getAsLong() < before + 5) Thread.onSpinWait();
                cancel.run();
              });
      other.setDaemon(true);
      other.start();
    }

    @Override
    public void timed() {
      timed++;
    }
  }

  private static List<JsonNode> countable() throws IOException {
    List<JsonNode> found = new ArrayList<>();
    JsonNode all = new ObjectMapper().readTree(MODELS.resolve("expected.json").toFile());
    for (JsonNode model : all.path("models")) {
      String file = model.path("file").asText();
      if (!file.equals("state_dict.pt") && !file.equals("exported.pt2")) found.add(model);
    }
    return found;
  }

  private static List<InputSpec> inputs(JsonNode expected) {
    List<InputSpec> inputs = new ArrayList<>();
    for (JsonNode input : expected.path("inputs")) inputs.add(input(input));
    return inputs;
  }

  private static InputSpec input(JsonNode node) {
    if (node.path("kind").asText().equals("tensor")) {
      List<Long> shape = new ArrayList<>();
      node.path("shape").forEach(size -> shape.add(size.asLong()));
      return new InputSpec.Tensor(null, shape, node.path("dtype").asText());
    }
    Map<String, InputSpec> items = new LinkedHashMap<>();
    node.path("items").fields().forEachRemaining(e -> items.put(e.getKey(), input(e.getValue())));
    return new InputSpec.Dict(null, items);
  }

  private static ModelSource model(String file) {
    return ModelSource.of(MODELS.resolve(file));
  }

  private static EfficiencyReport count(String file, String... inputs) {
    return Rpx.profile(model(file), plan(null, null, inputs));
  }

  private static Plan plan(String precision, Integer batch, String... inputs) {
    List<InputSpec> specs = List.of(inputs).stream().map(InputSpec::parse).toList();
    return Plan.counting().withInputs(specs).withPrecision(precision).withBatch(batch);
  }

  private static Plan timed(Integer iterations, Duration duration, String input) {
    return Plan.defaults()
        .withInputs(List.of(InputSpec.parse(input)))
        .withWarmup(3)
        .withIterations(iterations)
        .withDuration(duration)
        .withThreads(1)
        .withGpus(List.of());
  }
}
