package org.rpx.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.Weight;

/** Weights of the models are 1/fan-in, biases 0, so that a linear layer gives its row's mean. */
class NativeSessionTest {
  private static final Path MODELS = Path.of("src/test/resources/models");
  private static final InputSpec BN_INPUT = InputSpec.tensor("float32", 2, 3, 16, 16);
  private static final Offset<Float> ROUNDING = within(1e-5f);

  @Test
  void signature() {
    try (NativeSession two = open("two_inputs.pt");
        NativeSession dict = open("dict_input.pt")) {
      assertThat(two.signature())
          .containsExactly(new Argument("a", "Tensor", true), new Argument("b", "Tensor", true));
      assertThat(dict.signature()).containsExactly(new Argument("d", "Dict[str, Tensor]", true));
    }
  }

  @Test
  void weightsAreNamedByKind() {
    try (NativeSession session = open("bn_train.pt")) {
      List<Weight> weights = session.weights();

      assertThat(weights)
          .extracting(w -> w.kind() + " " + w.name() + " " + w.tensor().sizes())
          .containsExactly(
              "parameter 0.weight [8, 3, 3, 3]",
              "parameter 0.bias [8]",
              "parameter 1.weight [8]",
              "parameter 1.bias [8]",
              "buffer 1.running_mean [8]",
              "buffer 1.running_var [8]",
              "buffer 1.num_batches_tracked []");
      assertThat(weights)
          .extracting(Weight::requiresGrad)
          .containsExactly(true, true, true, true, false, false, false);
      assertThat(weights).extracting(w -> w.tensor().storage()).doesNotHaveDuplicates();
    }
  }

  @Test
  void tiedWeightsShareMemory() {
    try (NativeSession session = open("tied.pt")) {
      Map<String, Long> storages = new LinkedHashMap<>();
      session.weights().forEach(w -> storages.put(w.name(), w.tensor().storage()));

      assertThat(storages)
          .containsOnlyKeys("first.weight", "first.bias", "second.weight", "second.bias");
      assertThat(storages.get("second.weight"))
          .isEqualTo(storages.get("first.weight"))
          .isNotEqualTo(storages.get("first.bias"));
      assertThat(storages.get("second.bias")).isEqualTo(storages.get("first.bias"));
    }
  }

  @Test
  void parametersOfAFrozenModelAreConstants() {
    try (NativeSession session = open("frozen.pt")) {
      assertThat(session.weights())
          .extracting(w -> w.kind() + " " + w.tensor().sizes() + " " + w.requiresGrad())
          .containsExactlyInAnyOrder(
              "constant [4, 3, 3, 3] false",
              "constant [4] false",
              "constant [4, 2, 2, 2] false",
              "constant [2] false");
    }
  }

  @Test
  void inputsAreSeeded() {
    try (NativeSession session = open("identity.pt")) {
      float[] first = seeded(session, 1);

      for (float value : first) assertThat(value).isGreaterThanOrEqualTo(0).isLessThan(1);
      assertThat(seeded(session, 2)).isNotEqualTo(first);
      assertThat(seeded(session, 1)).isEqualTo(first);
    }
  }

  @Test
  void integersAreZeroAndTruthValuesTrue() {
    try (NativeSession session = open("two_inputs.pt")) {
      session.inputs(List.of(InputSpec.tensor("int64", 2, 3), InputSpec.tensor("bool", 5)), 7);

      List<TensorMemory> inputs = session.inputs();

      assertThat(inputs).extracting(TensorMemory::path).containsExactly("0", "1");
      assertThat(inputs.get(0).bytes().capacity()).isEqualTo(2 * 3 * Long.BYTES);
      while (inputs.get(0).bytes().hasRemaining()) assertThat(inputs.get(0).bytes().get()).isZero();
      assertThat(inputs.get(1).bytes().capacity()).isEqualTo(5);
      while (inputs.get(1).bytes().hasRemaining())
        assertThat(inputs.get(1).bytes().get()).isEqualTo((byte) 1);
    }
  }

  @Test
  void identityGivesBackWhatWasPutIn() {
    try (NativeSession session = open("identity.pt")) {
      session.inputs(List.of(InputSpec.tensor("float32", 2, 4)), 0);
      float[] values = {1, -2, 3.5f, 0, Float.MIN_VALUE, Float.MAX_VALUE, 1e-20f, -0f};
      floats(session.inputs().get(0)).put(values);

      assertThat(session.run()).isPositive();

      TensorMemory output = session.outputs().get(0);
      assertThat(output.path()).isEmpty();
      assertThat(output.tensor().sizes()).containsExactly(2L, 4L);
      assertThat(output.tensor().dtype()).isEqualTo("float32");
      assertThat(array(output)).isEqualTo(values);
    }
  }

  @Test
  void twoInputsGoToTheirArguments() {
    try (NativeSession session = open("two_inputs.pt")) {
      session.inputs(
          List.of(InputSpec.tensor("float32", 2, 8), InputSpec.tensor("float32", 2, 4)), 0);
      List<TensorMemory> inputs = session.inputs();
      floats(inputs.get(0)).put(new float[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 0, 0, 0, 0});
      floats(inputs.get(1)).put(new float[] {10, 20, 30, 40, 50, 60, 70, 80});

      session.run();

      // Means 3.5 and 4.
      assertThat(array(session.outputs().get(0)))
          .containsExactly(new float[] {13.5f, 23.5f, 33.5f, 43.5f, 54, 64, 74, 84}, within(1e-4f));
    }
  }

  @Test
  void aDictGoesByItsKeys() {
    try (NativeSession session = open("dict_input.pt")) {
      Map<String, InputSpec> items = new LinkedHashMap<>();
      items.put("b", InputSpec.tensor("float32", 1, 4));
      items.put("a", InputSpec.tensor("float32", 1, 8));
      session.inputs(List.of(new InputSpec.Dict("d", items)), 0);
      List<TensorMemory> inputs = session.inputs();
      assertThat(inputs).extracting(TensorMemory::path).containsExactlyInAnyOrder("0.a", "0.b");
      for (TensorMemory input : inputs) {
        boolean a = input.path().equals("0.a");
        for (int i = 0; i < (a ? 8 : 4); i++) floats(input).put(i, a ? 6 : i);
      }

      session.run();

      assertThat(array(session.outputs().get(0)))
          .containsExactly(new float[] {6, 7, 8, 9}, ROUNDING);
    }
  }

  @Test
  void nestedOutputsComeByPath() {
    try (NativeSession session = open("unknown_op.pt")) {
      session.inputs(List.of(InputSpec.tensor("float32", 4, 4)), 0);
      fill(session, 2);

      session.run();

      List<TensorMemory> outputs = session.outputs();
      assertThat(outputs).extracting(TensorMemory::path).containsExactly("0", "1");
      // (2 + 8 I) s = 2, everywhere: s = 2 / (4 * 2 + 8). A constant's spectrum is its sum.
      assertThat(outputs.get(0).tensor().sizes()).containsExactly(4L, 4L);
      for (float value : array(outputs.get(0))) assertThat(value).isEqualTo(0.125f, ROUNDING);
      assertThat(outputs.get(1).tensor().sizes()).containsExactly(4L, 3L);
      assertThat(array(outputs.get(1)))
          .containsExactly(new float[] {8, 0, 0, 8, 0, 0, 8, 0, 0, 8, 0, 0}, ROUNDING);
    }
  }

  @Test
  void aSecondRunGoesOnFromTheFirst() {
    try (NativeSession session = stateful()) {
      assertThat(statefulRun(session)).isEqualTo(3, ROUNDING);
      assertThat(statefulRun(session)).isEqualTo(6, ROUNDING);
    }
  }

  @Test
  void aTraceLeavesTheModelAsTheFileHasIt() {
    try (NativeSession session = stateful()) {
      session.run();
      session.trace();
      assertThat(statefulRun(session)).isEqualTo(3, ROUNDING);
    }
  }

  @Test
  void soDoesATensorPeak() {
    try (NativeSession session = stateful()) {
      session.tensorPeakBytes();
      assertThat(statefulRun(session)).isEqualTo(3, ROUNDING);
    }
  }

  @Test
  void aModelSavedInTrainingModeIsEvaluated() {
    try (NativeSession session = open("bn_train.pt")) {
      session.inputs(List.of(BN_INPUT), 0);
      FloatBuffer x = floats(session.inputs().get(0));
      for (int i = 0; i < x.capacity(); i++) x.put(i, (i * 37 % 101) / 50f - 1);
      float[] expected = meansOfWindows(x);

      for (int run = 0; run < 2; run++) {
        session.run();
        assertThat(array(session.outputs().get(0))).containsExactly(expected, ROUNDING);
      }
      OpCall norm =
          session.trace().calls().stream()
              .filter(c -> c.name().equals("aten::batch_norm"))
              .findFirst()
              .orElseThrow();
      assertThat(norm.bool(5)).as("training").isFalse();
    }
  }

  /** A 3x3 convolution by 1/27, a normalisation of mean 0 and variance 1, and a ReLU. */
  private static float[] meansOfWindows(FloatBuffer x) {
    float[] y = new float[2 * 8 * 14 * 14];
    for (int i = 0; i < y.length; i++) {
      int column = i % 14;
      int row = i / 14 % 14;
      int image = i / (14 * 14 * 8);
      double sum = 0;
      for (int c = 0; c < 3; c++)
        for (int k = 0; k < 9; k++)
          sum += x.get(((image * 3 + c) * 16 + row + k / 3) * 16 + column + k % 3);
      y[i] = (float) Math.max(0, sum / 27 / Math.sqrt(1 + 1e-5));
    }
    return y;
  }

  @ParameterizedTest
  @CsvSource({"bn_train.pt, 2x3x16x16", "lstm.pt, 2x5x12", "tied.pt, 4x16", "stateful.pt, 2x4"})
  void twoTracesAreEqual(String model, String input) {
    try (NativeSession session = open(model)) {
      session.inputs(List.of(InputSpec.parse(input)), 0);

      OpTrace first = session.trace();
      session.run();
      OpTrace second = session.trace();

      assertThat(first.calls()).isNotEmpty();
      assertThat(second).isEqualTo(first);
    }
  }

  @Test
  void aTraceHoldsWhatTheProgramWrote() {
    try (NativeSession session = open("tied.pt")) {
      session.inputs(List.of(InputSpec.tensor("float32", 4, 16)), 0);

      OpTrace trace = session.trace();

      assertThat(trace.calls())
          .extracting(OpCall::name)
          .containsExactly("aten::linear", "aten::relu", "aten::linear");
      assertThat(OpTrace.tensors(trace.inputs()).get(0).sizes()).containsExactly(4L, 16L);
      assertThat(trace.outputs()).containsExactly(trace.calls().get(2).result(0));
      assertThat(trace.calls().get(1).tensor(0)).isEqualTo(trace.calls().get(0).result(0));
      long weight = session.weights().get(0).tensor().storage();
      assertThat(trace.calls().get(0).tensor(1).storage()).isEqualTo(weight);
      assertThat(trace.calls().get(2).tensor(1).storage()).isEqualTo(weight);
    }
  }

  @Test
  void timeRunsAsOftenAsAsked() {
    try (NativeSession session = batchNorm()) {
      AtomicInteger seen = new AtomicInteger();
      Consumer<LongSupplier> watch =
          done -> {
            if (seen.getAndIncrement() == 0) assertThat(done.getAsLong()).isZero();
            else assertThat(done).isNull();
          };

      long[][] samples = session.time(25, Long.MAX_VALUE, watch);

      assertThat(seen).hasValue(2);
      assertThat(samples[0]).hasSize(25);
      assertThat(samples[1]).hasSize(25);
      assertThat(samples[0][0]).isNotNegative();
      for (int i = 0; i < 25; i++) assertThat(samples[1][i]).isPositive();
      for (int i = 1; i < 25; i++)
        assertThat(samples[0][i]).isGreaterThanOrEqualTo(samples[0][i - 1] + samples[1][i - 1]);
    }
  }

  @Test
  void noRunBeginsAfterTheLimit() {
    try (NativeSession session = batchNorm()) {
      // The first forward makes what later ones find ready: alone it may take longer than many.
      session.run();
      long limit = 200_000_000;

      long[][] samples = session.time(1_000_000, limit, null);

      int last = samples[0].length - 1;
      assertThat(last).isPositive().isLessThan(1_000_000 - 1);
      assertThat(samples[0][last - 1] + samples[1][last - 1]).isLessThan(limit);
      assertThat(samples[0][last] + samples[1][last]).isGreaterThanOrEqualTo(limit);
    }
  }

  @Test
  void oneRunAtLeast() {
    try (NativeSession session = batchNorm()) {
      assertThat(session.time(100, 1, null)[0]).hasSize(1);
    }
  }

  @Test
  void cancelEndsTheLoopAndAllLaterOnes() throws InterruptedException {
    int most = 10_000_000;
    try (NativeSession session = batchNorm()) {
      Thread[] canceller = new Thread[1];
      Consumer<LongSupplier> watch =
          done -> {
            if (done == null) return;
            canceller[0] =
                new Thread(
                    () -> {
                      while (done.getAsLong() < 5) Thread.onSpinWait();
                      session.cancel();
                    });
            canceller[0].start();
          };

      int ran = session.time(most, Long.MAX_VALUE, watch)[0].length;
      canceller[0].join();

      assertThat(ran).isGreaterThanOrEqualTo(5).isLessThan(most);
      assertThat(session.time(10, Long.MAX_VALUE, null)[0]).isEmpty();
    }
  }

  @Test
  void threadsAreThoseOfTheNextRun() {
    try (NativeSession session = batchNorm()) {
      for (String width : List.of("2", "1")) {
        session.threads(Integer.parseInt(width), Integer.parseInt(width));
        session.run();
        assertThat(LibTorch.facts()).containsEntry("operator_threads", width);
        String blas = LibTorch.facts().get("blas_threads");
        if (blas != null) assertThat(blas).isEqualTo(width);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"float16, 2e-3", "bfloat16, 2e-2"})
  void aCastLeavesIntegersAlone(String dtype, float tolerance) {
    try (NativeSession session = open("bn_train.pt")) {
      session.cast(dtype);
      session.inputs(List.of(BN_INPUT), 0);

      for (Weight weight : session.weights()) {
        boolean counter = weight.name().equals("1.num_batches_tracked");
        assertThat(weight.tensor().dtype()).as(weight.name()).isEqualTo(counter ? "int64" : dtype);
      }
      TensorMemory input = session.inputs().get(0);
      assertThat(input.tensor().dtype()).isEqualTo(dtype);
      // 1.0 in either format.
      short one = (short) (dtype.equals("float16") ? 0x3c00 : 0x3f80);
      while (input.bytes().hasRemaining()) input.bytes().putShort(one);
      session.run();
      TensorMemory output = session.outputs().get(0);
      assertThat(output.tensor().dtype()).isEqualTo(dtype);
      while (output.bytes().hasRemaining())
        assertThat(decode(dtype, output.bytes().getShort())).isEqualTo(1, within(tolerance));
    }
  }

  /** A positive normal number of 16 bits. */
  private static float decode(String dtype, short bits) {
    int all = bits & 0xffff;
    if (dtype.equals("bfloat16")) return Float.intBitsToFloat(all << 16);
    return Math.scalb(1 + (all & 0x3ff) / 1024f, (all >> 10 & 0x1f) - 15);
  }

  @Test
  void integerInputsAreNotCast() {
    try (NativeSession session = open("int64_tokens.pt")) {
      session.cast("bfloat16");
      session.inputs(List.of(InputSpec.tensor("int64", 2, 6)), 0);

      session.run();

      assertThat(session.inputs().get(0).tensor().dtype()).isEqualTo("int64");
      assertThat(session.outputs().get(0).tensor().dtype()).isEqualTo("bfloat16");
    }
  }

  @Test
  void tensorPeak() {
    try (NativeSession conv = batchNorm();
        NativeSession nothing = open("identity.pt")) {
      nothing.inputs(List.of(InputSpec.tensor("float32", 2, 4)), 0);
      // At least its output.
      assertThat(conv.tensorPeakBytes()).isGreaterThanOrEqualTo(2 * 8 * 14 * 14 * Float.BYTES);
      assertThat(nothing.tensorPeakBytes()).isZero();
    }
  }

  @Test
  void closing() {
    NativeSession session = batchNorm();
    session.close();
    session.close();
    session.cancel();

    List<Consumer<NativeSession>> uses =
        List.of(
            NativeSession::signature,
            NativeSession::weights,
            NativeSession::inputs,
            NativeSession::outputs,
            NativeSession::run,
            NativeSession::trace,
            NativeSession::tensorPeakBytes,
            s -> s.cast("float16"),
            s -> s.threads(1, 1),
            s -> s.inputs(List.of(BN_INPUT), 0),
            s -> s.time(1, 1, null));
    for (Consumer<NativeSession> use : uses) {
      assertThatThrownBy(() -> use.accept(session))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
  }

  private static float[] seeded(NativeSession session, long seed) {
    session.inputs(List.of(InputSpec.tensor("float32", 10, 10)), seed);
    return array(session.inputs().get(0));
  }

  private static NativeSession stateful() {
    NativeSession session = open("stateful.pt");
    session.inputs(List.of(InputSpec.tensor("float32", 1, 4)), 0);
    fill(session, 3);
    return session;
  }

  private static float statefulRun(NativeSession session) {
    session.run();
    return array(session.outputs().get(0))[0];
  }

  private static NativeSession batchNorm() {
    NativeSession session = open("bn_train.pt");
    session.inputs(List.of(BN_INPUT), 0);
    return session;
  }

  private static NativeSession open(String model) {
    return new NativeSession(MODELS.resolve(model), "cpu");
  }

  private static void fill(NativeSession session, float value) {
    FloatBuffer x = floats(session.inputs().get(0));
    IntStream.range(0, x.capacity()).forEach(i -> x.put(i, value));
  }

  private static FloatBuffer floats(TensorMemory data) {
    return data.bytes().asFloatBuffer();
  }

  private static float[] array(TensorMemory data) {
    float[] values = new float[data.bytes().capacity() / Float.BYTES];
    floats(data).get(values);
    return values;
  }
}
