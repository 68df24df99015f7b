package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.Weight;

/**
 * One program as each torch saves it. For x of constant v, conv gives 4v and -4v; norm then 3 and
 * -1; the first linear layer 4 · 0.5 · (3 - 1) + 1 = 5, the second 8 · 0.5 · 5 + 2 = 22; to its
 * product with scale a buffer is added, which the forward has just made 1, and a constant 3. Of
 * conv half is given back.
 */
class ProgramVersionsTest {
  private static final Path VERSIONS = Path.of("src/test/resources/exported/versions");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"2_5", "2_6", "2_7", "2_8", "2_9", "2_10", "2_15"})
  void counts(String version) {
    for (int batch : new int[] {2, 7}) {
      ModelProperties tier1 =
          Rpx.profile(model(version), Plan.counting().withInputs(inputs(batch))).tier1();

      // conv 2·4 + 2, norm 2·8, a weight of 8·8 that two layers share, and their biases
      assertThat(tier1.params()).isEqualTo(10 + 16 + 64 + 2 * 8);
      assertThat(tier1.trainableParams()).isEqualTo(tier1.params() - 2);
      assertThat(tier1.buffers()).isEqualTo(2);
      // conv 2 · 2·2 positions · 8 taps, two layers 2 · 8·8
      assertThat(tier1.flops()).isEqualTo(batch * (2 * 4 * 8 + 2 * 2 * 64));
      assertThat(tier1.flopsComplete()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2_5, 2", "2_6, 2", "2_7, 2", "2_8, 2", "2_9, 2", "2_10, 2", "2_15, 2", "2_5, 7", "2_8, 7",
    "2_10, 7", "2_15, 7"
  })
  void runs(String version, int batch) {
    Plan plan = Plan.counting().withInputs(inputs(batch));
    try (Session session = Rpx.session(model(version), SessionOptions.of(plan).withWarmup(0))) {
      for (int run = 0; run < 3; run++) {
        session.run();

        Map<String, List<Float>> outputs =
            session.outputs().stream()
                .collect(Collectors.toMap(SessionTensor::path, ProgramVersionsTest::values));
        assertThat(outputs).containsOnlyKeys("conv", "y");
        assertThat(outputs.get("conv")).hasSize(batch * 8).containsOnly(0.5f, -0.5f);
        assertThat(outputs.get("conv").subList(0, 8))
            .containsExactly(0.5f, 0.5f, 0.5f, 0.5f, -0.5f, -0.5f, -0.5f, -0.5f);
        assertThat(outputs.get("y")).isEqualTo(Collections.nCopies(batch * 8, 22f * 2 + 1 + 3));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2_5", "2_6", "2_7", "2_8", "2_9", "2_10", "2_15"})
  void tellsTiesAndWhatTrains(String version) {
    try (Session session =
        Rpx.session(
            model(version),
            SessionOptions.of(Plan.counting().withInputs(inputs(2))).withWarmup(0))) {
      Map<String, Weight> weights =
          session.weights().stream().collect(Collectors.toMap(Weight::name, w -> w));

      assertThat(weights)
          .containsOnlyKeys(
              "conv.weight",
              "conv.bias",
              "norm.weight",
              "norm.bias",
              "first.weight",
              "first.bias",
              "second.weight",
              "second.bias",
              "count",
              "factor",
              "shift");
      assertThat(storage(weights, "second.weight")).isEqualTo(storage(weights, "first.weight"));
      assertThat(storage(weights, "second.bias")).isNotEqualTo(storage(weights, "first.bias"));
      assertThat(weights.get("conv.weight").requiresGrad()).isTrue();
      assertThat(weights.get("conv.bias").requiresGrad()).isFalse();
      assertThat(weights.get("count").kind()).isEqualTo("buffer");
      assertThat(weights.get("factor").kind()).isEqualTo("buffer");
      assertThat(weights.get("shift").kind()).isEqualTo("constant");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2_5", "2_7", "2_8", "2_10", "2_15"})
  void aBatchOutOfRangeIsRefused(String version) {
    for (int batch : new int[] {1, 9}) {
      Plan plan = Plan.counting().withInputs(inputs(batch));
      assertThatThrownBy(() -> Rpx.session(model(version), SessionOptions.of(plan).withWarmup(0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("dimension 0 of input x is " + batch)
          .hasMessageContaining("exported for 2 to 8; ")
          .hasMessageNotContaining("\n");
    }
  }

  /** Whatever became of a file with pickles in it: it runs, or is refused in one line. */
  @ParameterizedTest
  @ValueSource(strings = {"2_5", "2_8"})
  void damagedFilesTakeNothingWithThem(String version) throws IOException {
    Random random = new Random(version.hashCode());
    byte[] whole = Files.readAllBytes(VERSIONS.resolve("torch_" + version + ".pt2"));
    Path damaged = folder.resolve("damaged.pt2");
    int refused = 0;
    for (int i = 0; i < 200; i++) {
      byte[] bytes = whole.clone();
      int at = random.nextInt(bytes.length);
      int count = 1 + random.nextInt(8);
      for (int b = at; b < Math.min(at + count, bytes.length); b++)
        bytes[b] = (byte) random.nextInt(256);
      Files.write(damaged, bytes);
      Plan plan = Plan.counting().withInputs(inputs(2));
      try (Session session =
          Rpx.session(
              ModelSource.parse(damaged.toString()), SessionOptions.of(plan).withWarmup(0))) {
        session.run();
      } catch (IllegalArgumentException | NativeException e) {
        assertThat(e.getMessage()).contains("damaged.pt2").doesNotContain("\n");
        refused++;
      }
    }
    assertThat(refused).isBetween(20, 180);
  }

  private static long storage(Map<String, Weight> weights, String name) {
    return weights.get(name).tensor().storage();
  }

  private static ModelSource model(String version) {
    return ModelSource.parse(VERSIONS.resolve("torch_" + version + ".pt2").toString());
  }

  private static List<InputSpec> inputs(int batch) {
    return List.of(
        InputSpec.parse("x:" + batch + "x1x3x3=0.25"), InputSpec.parse("scale:" + batch + "x8=2"));
  }

  private static List<Float> values(SessionTensor data) {
    FloatBuffer floats = data.asFloatBuffer();
    float[] values = new float[floats.remaining()];
    floats.get(values);
    List<Float> list = new ArrayList<>();
    for (float value : values) list.add(value);
    return list;
  }
}
