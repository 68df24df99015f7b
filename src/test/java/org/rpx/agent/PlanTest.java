package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.tier1.FlopRegistry;
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
    assertThat(Plan.counting().timed()).isFalse();
  }

  @Test
  void changesOneThingAndNothingElse() {
    Plan plan = Plan.defaults().withSeed(7).withWarmup(5);
    Plan changed = plan.withBatch(4);

    assertThat(changed.batch()).isEqualTo(4);
    assertThat(plan.batch()).isNull();
    assertThat(changed).usingRecursiveComparison().ignoringFields("batch").isEqualTo(plan);
    assertThat(changed.withBatch(null)).usingRecursiveComparison().isEqualTo(plan);
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
    assertRefused("batch has to be 1 or more", p -> p.withBatch(count));
    assertRefused("iterations has to be 1 or more", p -> p.withIterations(count));
    assertRefused("threads has to be 1 or more", p -> p.withThreads(count));
  }

  @Test
  void takesNoWarmupButNotLess() {
    assertThat(Plan.defaults().withWarmup(0).warmup()).isZero();
    assertRefused("warmup has to be 0 or more", p -> p.withWarmup(-1));
  }

  @Test
  void refusesADurationOfNothing() {
    assertRefused("duration has to be longer than 0", p -> p.withDuration(Duration.ZERO));
    assertRefused("duration has to be longer than 0", p -> p.withDuration(Duration.ofMillis(-1)));
    assertThat(Plan.defaults().withDuration(Duration.ofNanos(1)).duration())
        .isEqualTo(Duration.ofNanos(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fp32", "fp16", "bf16"})
  void takesAPrecision(String precision) {
    assertThat(Plan.defaults().withPrecision(precision).precision()).isEqualTo(precision);
  }

  @ParameterizedTest
  @ValueSource(strings = {"int8", "float16", "FP16", ""})
  void refusesAnotherPrecisionAndNamesThoseThereAre(String precision) {
    assertRefused(
        "no precision \"" + precision + "\": fp32, fp16 or bf16", p -> p.withPrecision(precision));
  }

  private static void assertRefused(String message, UnaryOperator<Plan> change) {
    assertThatThrownBy(() -> change.apply(Plan.defaults()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
