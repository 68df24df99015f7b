package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeException.Code;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.trace.InputSpec;

/** Outputs that are no packed memory of plain numbers: right values or one clear error. */
class OutputKindsTest {
  private static final Path MODELS = Path.of("src/test/resources/models");

  @BeforeEach
  void asNew() {
    Simulator.reset();
  }

  private static Plan plan(String device, String input) {
    Plan plan =
        Plan.defaults()
            .withDevice(device)
            .withThreads(1)
            .withInputs(List.of(InputSpec.parse(input)));
    return device.equals("sim") ? plan.withNativeCode(Simulator.CODE, null) : plan;
  }

  private static Session session(String model, String device, String input) {
    return Rpx.session(
        ModelSource.of(MODELS.resolve(model)),
        SessionOptions.of(plan(device, input)).withWarmup(1));
  }

  private static float[] floats(SessionTensor tensor) {
    FloatBuffer buffer = tensor.asByteBuffer().order(ByteOrder.nativeOrder()).asFloatBuffer();
    float[] values = new float[buffer.remaining()];
    buffer.get(values);
    return values;
  }

  /** x is [[1, 2], [3, 4]] and z = x - xi; complex numbers lie as pairs. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu", "sim"})
  void viewsHaveTheirValues(String device) {
    try (Session s = session("views.pt", device, "2x2")) {
      s.input(0).asFloatBuffer().put(new float[] {1, 2, 3, 4});
      for (int run = 0; run < 2; run++) {
        s.run();

        assertThat(floats(s.output(0))).as("conjugated").containsExactly(1, 1, 2, 2, 3, 3, 4, 4);
        assertThat(floats(s.output(1))).as("negated").containsExactly(1, 2, 3, 4);
        assertThat(floats(s.output(2)))
            .as("transposed and conjugated")
            .containsExactly(1, 1, 3, 3, 2, 2, 4, 4);
        assertThat(floats(s.output(3)))
            .as("conjugated and negated")
            .containsExactly(-1, -1, -2, -2, -3, -3, -4, -4);
        assertThat(floats(s.output(4)))
            .as("conjugated and expanded")
            .containsExactly(1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3);
        assertThat(floats(s.output(5))).as("expanded").containsExactly(1, 1, 1, 3, 3, 3);
        assertThat(floats(s.output(6))).as("a column").containsExactly(2, 4);
        assertThat(floats(s.output(7))).as("a conjugated scalar").containsExactly(10, 10);
        assertThat(s.output(7).shape()).isEmpty();
        assertThat(floats(s.output(8))).as("empty").isEmpty();
        assertThat(s.output(8).shape()).containsExactly(0L, 2L);
        assertThat(floats(s.output(9))).as("empty and conjugated").isEmpty();
        assertThat(floats(s.output(10)))
            .as("of a conjugated one")
            .containsExactly(2, 2, 4, 4, 6, 6, 8, 8);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "sim"})
  void viewsAreMeasured(String device) {
    EfficiencyReport report =
        Rpx.profile(
            ModelSource.of(MODELS.resolve("views.pt")),
            plan(device, "2x2").withWarmup(0).withIterations(2));
    assertThat(report.tier3().statistics().count()).isEqualTo(2);
  }

  /** A quantised number is round(x / scale) + zero point. */
  @Test
  void quantisedOnesGiveTheirIntegers() {
    try (Session s = session("quantised.pt", "cpu", "2x2")) {
      s.input(0).asFloatBuffer().put(new float[] {1, 2, 3, 4});
      s.run();

      byte[] transposed = new byte[4];
      s.output(0).asByteBuffer().get(transposed);
      assertThat(s.output(0).dtype()).isEqualTo("quint8");
      assertThat(transposed).containsExactly(3, 7, 5, 9);
      IntBuffer rows = s.output(1).asIntBuffer();
      assertThat(List.of(rows.get(0), rows.get(1), rows.get(2), rows.get(3)))
          .containsExactly(2, 4, 13, 17);
    }
  }

  @Test
  void whereTheDeviceHasNoQuantisedTensorsThatIsSaid() {
    NativeException e =
        catchThrowableOfType(
            NativeException.class, () -> session("quantised.pt", "sim", "2x2").close());
    assertThat(e.code()).isEqualTo(Code.UNSUPPORTED);
    assertThat(e.getMessage()).contains("quantised.pt: Could not run 'aten::");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "sim"})
  void aSparseOneIsRefused(String device) {
    NativeException e =
        catchThrowableOfType(
            NativeException.class, () -> session("sparse.pt", device, "2x2=1").close());
    assertThat(e.code()).isEqualTo(Code.UNSUPPORTED);
    assertThat(e.getMessage())
        .endsWith(
            "sparse.pt: output 0 float32 [2, 2] has layout SparseCsr, whose elements lie in no memory"
                + " of its own: have the model give back a dense one (to_dense())");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "sim"})
  void oneThatBecomesSparseIsRefusedAndNothingIsWritten(String device) {
    try (Session s = session("sparse.pt", device, "2x2=0")) {
      FloatBuffer in = s.input(0).asFloatBuffer();
      in.put(0, 1);
      NativeException e = catchThrowableOfType(NativeException.class, s::run);
      assertThat(e.code()).isEqualTo(Code.UNSUPPORTED);
      assertThat(e.getMessage()).contains("output 0 is float32 [2, 2], and had another layout");
      assertThat(floats(s.output(0))).containsExactly(0, 0, 0, 0);

      in.put(0, -1);
      s.run();
      assertThat(floats(s.output(0))).containsExactly(-1, 0, 0, 0);
    }
  }

  /** Counting and timing do not read outputs. */
  @Test
  void sparseOnesAreMeasured() {
    EfficiencyReport report =
        Rpx.profile(
            ModelSource.of(MODELS.resolve("sparse.pt")),
            plan("cpu", "2x2=1").withWarmup(0).withIterations(2));
    assertThat(report.tier3().statistics().count()).isEqualTo(2);
  }
}
