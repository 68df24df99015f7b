package org.rpx.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.engine.NativeException.Code;
import org.rpx.agent.trace.InputSpec;

/** Whatever LibTorch throws comes with its code and as one line. */
class NativeSessionErrorsTest {
  private static final Path MODELS = Path.of("src/test/resources/models");

  @Test
  void noSuchFile() {
    fails(Code.MODEL_LOAD, () -> new NativeSession(MODELS.resolve("none.pt"), "cpu"));
  }

  @Test
  void noTorchScript() {
    fails(Code.MODEL_LOAD, () -> new NativeSession(MODELS.resolve("state_dict.pt"), "cpu"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuda", "cuda:0", "mps", "no device", ""})
  void noSuchDevice(String device) {
    fails(Code.DEVICE, () -> new NativeSession(MODELS.resolve("identity.pt"), device));
  }

  @ParameterizedTest
  @CsvSource({
    "bn_train.pt, 1x3, 'got input of size: [1, 3]'",
    "bn_train.pt, 1x4x16x16, 'to have 3 channels, but got 4 channels'",
    "bn_train.pt, 1x3x16x16:int64, 'should be the same'",
    "int64_tokens.pt, 2x6:int32, 'tokens must be int64'",
    "two_inputs.pt, 2x8, ''"
  })
  void aForwardThatDoesNotTakeItsInput(String model, String input, String says) {
    try (NativeSession session = open(model)) {
      session.inputs(List.of(InputSpec.parse(input)), 0);

      fails(Code.INPUT, session::run, says);
      fails(Code.INPUT, session::trace, says);
      fails(Code.INPUT, session::tensorPeakBytes, says);
      fails(Code.INPUT, () -> session.time(3, Long.MAX_VALUE, null), says);
    }
  }

  @Test
  void aSessionWorksAfterAFailure() {
    try (NativeSession session = open("bn_train.pt")) {
      session.inputs(List.of(InputSpec.tensor("float32", 1, 3)), 0);
      fails(Code.INPUT, session::trace);

      session.inputs(List.of(InputSpec.tensor("float32", 1, 3, 16, 16)), 0);

      session.run();
      assertThat(session.outputs().get(0).tensor().sizes()).containsExactly(1L, 8L, 14L, 14L);
      assertThat(session.trace().calls()).hasSize(3);
    }
  }

  @Test
  void moreMemoryThanThereCanBe() {
    try (NativeSession session = open("identity.pt")) {
      // 2^50 floats: past what a process can address.
      InputSpec huge = InputSpec.tensor("float32", 1L << 25, 1L << 25);
      fails(Code.OUT_OF_MEMORY, () -> session.inputs(List.of(huge), 0));
    }
  }

  @Test
  void moreElementsThanANumberHolds() {
    try (NativeSession session = open("identity.pt")) {
      InputSpec huge = InputSpec.tensor("float32", Long.MAX_VALUE, 4);
      fails(Code.INPUT, () -> session.inputs(List.of(huge), 0));
    }
  }

  @Test
  void unknownTypes() {
    try (NativeSession session = open("identity.pt")) {
      fails(Code.INPUT, () -> session.cast("float7"), "float7");
      InputSpec odd = InputSpec.tensor("float7", 1);
      fails(Code.INPUT, () -> session.inputs(List.of(odd), 0), "float7");
    }
  }

  @Test
  void whatHasNoKernel() {
    try (NativeSession session = open("tied.pt")) {
      session.cast("float8_e4m3fn");
      session.inputs(List.of(InputSpec.tensor("float32", 4, 16)), 0);
      fails(Code.UNSUPPORTED, session::run, "not implemented for");
    }
  }

  @Test
  void aFrozenModelIsNotCast() {
    try (NativeSession session = open("frozen.pt")) {
      fails(Code.UNSUPPORTED, () -> session.cast("float16"), "export it in that precision");
    }
  }

  private static NativeSession open(String model) {
    return new NativeSession(MODELS.resolve(model), "cpu");
  }

  private static void fails(Code code, ThrowingCallable call, String... says) {
    NativeException e = catchThrowableOfType(NativeException.class, call);

    assertThat(e).isNotNull();
    assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
    assertThat(e.getMessage()).isNotBlank().doesNotContain("Exception raised from");
    for (String each : says) assertThat(e).hasMessageContaining(each);
    assertThat(e.getMessage().chars()).noneMatch(Character::isISOControl);
  }
}
