package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.tier1.FlopRegistry;
import org.rpx.agent.tier1.TrafficModel;
import org.rpx.agent.tier2.GpuTable;
import org.rpx.agent.trace.InputSpec;

/** The defaults are those of docs/method.md. */
class PlanTest {

  @Test
  void measuresByDefaultAndLeavesTheModelAsItIs() {
    Plan plan = Plan.defaults();

    assertThat(plan.timed()).isTrue();
    assertThat(plan.inputs()).isEmpty();
    assertThat(plan.seed()).isZero();
    assertThat(plan.device()).isEqualTo("cpu");
    assertThat(plan.precision()).isNull();
    assertThat(plan.batch()).isNull();
    assertThat(plan.warmup()).isNull();
    assertThat(plan.iterations()).isNull();
    assertThat(plan.duration()).isNull();
    assertThat(plan.threads()).isNull();
    assertThat(plan.gpus())
        .extracting(GpuTable.Row::name)
        .containsExactly("A100-80GB", "RTX 4090", "Jetson Orin 64GB");
    assertThat(plan.registry()).isSameAs(FlopRegistry.standard());
  }

  @Test
  void hasAnImageForADefaultInput() {
    assertThat(Plan.DEFAULT_INPUT).isEqualTo(InputSpec.parse("1x3x480x640:float32"));
  }

  @Test
  void countsWithoutTiming() {
    assertThat(Plan.counting()).isEqualTo(Plan.defaults().withTimed(false));
    assertThat(Plan.counting().timed()).isFalse();
  }

  @Test
  void changesOneThingAtATime() {
    Plan plan = full();
    List<InputSpec> inputs = List.of(InputSpec.parse("1x8"), InputSpec.parse("2"));

    assertThat(plan.withInputs(inputs).inputs()).isEqualTo(inputs);
    assertThat(plan.withInputs(inputs).withInputs(plan.inputs())).isEqualTo(plan);
    assertThat(plan.withTimed(false).timed()).isFalse();
    assertThat(plan.withTimed(false).withTimed(true)).isEqualTo(plan);
  }

  @Test
  void doesNotChangeWithTheListThatItWasGiven() {
    List<InputSpec> inputs = new ArrayList<>(List.of(InputSpec.parse("1x8")));
    Plan plan = Plan.defaults().withInputs(inputs);
    inputs.clear();

    assertThat(plan.inputs()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void refusesACountBelowOne(int count) {
    assertRefused("batch has to be 1 or more", null, count, 1, 1, null, 1);
    assertRefused("iterations has to be 1 or more", null, 1, 1, count, null, 1);
    assertRefused("threads has to be 1 or more", null, 1, 1, 1, null, count);
  }

  @Test
  void takesNoWarmupButNotLess() {
    assertThat(plan(null, 1, 0, 1, null, 1).warmup()).isZero();
    assertRefused("warmup has to be 0 or more", null, 1, -1, 1, null, 1);
  }

  @Test
  void refusesADurationOfNothing() {
    assertRefused("duration has to be longer than 0", null, 1, 1, 1, Duration.ZERO, 1);
    assertRefused("duration has to be longer than 0", null, 1, 1, 1, Duration.ofMillis(-1), 1);
    assertThat(plan(null, 1, 1, 1, Duration.ofNanos(1), 1).duration())
        .isEqualTo(Duration.ofNanos(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fp32", "fp16", "bf16"})
  void takesAPrecision(String precision) {
    assertThat(plan(precision, 1, 1, 1, null, 1).precision()).isEqualTo(precision);
  }

  @ParameterizedTest
  @ValueSource(strings = {"int8", "float16", "FP16", ""})
  void refusesAnotherPrecisionAndNamesThoseThereAre(String precision) {
    assertRefused(
        "no precision \"" + precision + "\": fp32, fp16 or bf16", precision, 1, 1, 1, null, 1);
  }

  private static void assertRefused(
      String message,
      String precision,
      Integer batch,
      Integer warmup,
      Integer iterations,
      Duration duration,
      Integer threads) {
    assertThatThrownBy(() -> plan(precision, batch, warmup, iterations, duration, threads))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private static Plan plan(
      String precision,
      Integer batch,
      Integer warmup,
      Integer iterations,
      Duration duration,
      Integer threads) {
    return new Plan(
        List.of(),
        0,
        "cpu",
        precision,
        batch,
        true,
        warmup,
        iterations,
        duration,
        threads,
        List.of(),
        FlopRegistry.standard(),
        TrafficModel.COMPULSORY,
        false);
  }

  /** A plan in which every part differs from the default. */
  private static Plan full() {
    return new Plan(
        List.of(InputSpec.parse("1x3")),
        7,
        "cpu:0",
        "bf16",
        4,
        true,
        5,
        6,
        Duration.ofSeconds(8),
        9,
        List.of(),
        FlopRegistry.standard().with("my::op", c -> 1),
        TrafficModel.UNFUSED,
        true);
  }
}
