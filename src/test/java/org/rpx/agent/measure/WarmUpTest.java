package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rpx.agent.measure.WarmUp.Ended;

class WarmUpTest {
  private static final double MS = 1e6;

  private static WarmUp.Result run(WarmUp rule, Workload workload) {
    return rule.run(workload, () -> false);
  }

  /** Four windows of 5 runs and 5 ms make the least of both. */
  @Test
  void aSteadyWorkloadIsDoneAfterTheLeast() {
    assertThat(run(WarmUp.DEFAULT, new SimulatedWorkload(i -> MS)))
        .isEqualTo(new WarmUp.Result(20, 20_000_000, Ended.STEADY));
  }

  /** Ten thousand runs of 2 µs fill 20 ms. */
  @Test
  void aCheapOneTakesMilliseconds() {
    WarmUp.Result result = run(WarmUp.DEFAULT, new SimulatedWorkload(i -> 2000));

    assertThat(result).isEqualTo(new WarmUp.Result(10_000, 20_000_000, Ended.STEADY));
  }

  /** Ticks of a coarse clock are no change. */
  @Test
  void ticksOfTheClockAreSteady() {
    WarmUp.Result result =
        run(WarmUp.DEFAULT, new SimulatedWorkload(i -> i / 10_000 % 2 == 0 ? 40 : 80));

    assertThat(result.ended()).isEqualTo(Ended.STEADY);
    assertThat(result.ns()).isLessThan(30_000_000);
  }

  /** 1 + exp(-i/30) ms falls by less than 2 % over three windows of 5 from run 76 on. */
  @Test
  void goesOnUntilTimesFallNoMore() {
    WarmUp.Result result =
        run(WarmUp.DEFAULT, new SimulatedWorkload(i -> MS * (1 + Math.exp(-i / 30.0))));

    assertThat(result.ended()).isEqualTo(Ended.STEADY);
    assertThat(result.runs()).isBetween(80, 130);
  }

  /** Noise alone must not keep it from ending: its windows differ by what such runs differ by. */
  @Test
  void acceptsSteadyNoise() {
    int soon = 0;
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      WarmUp.Result result =
          run(
              WarmUp.DEFAULT,
              new SimulatedWorkload(i -> MS * Math.exp(0.2 * random.nextGaussian())));
      assertThat(result.ended()).isEqualTo(Ended.STEADY);
      if (result.runs() <= 60) soon++;
    }
    assertThat(soon).isGreaterThan(180);
  }

  @Test
  void endsAtTheCapOfTime() {
    WarmUp.Result result = run(WarmUp.DEFAULT, new SimulatedWorkload(i -> MS * Math.pow(1.02, i)));

    assertThat(result.ended()).isEqualTo(Ended.CAP_TIME);
    assertThat(result.ns()).isGreaterThanOrEqualTo(1_000_000_000L);
    assertThat(result.ended().key()).isEqualTo("cap_time");
  }

  /** The third run of 400 ms begins before 1 s, a fourth would not. */
  @Test
  void aSlowOneStopsAtTheCapBeforeTheLeastNumberOfRuns() {
    assertThat(run(WarmUp.DEFAULT, new SimulatedWorkload(i -> 400 * MS)))
        .isEqualTo(new WarmUp.Result(3, 1_200_000_000, Ended.CAP_TIME));
  }

  @Test
  void endsAtTheCapOfRuns() {
    WarmUp rule = new WarmUp(20, Duration.ofMillis(20), 33, Duration.ofDays(1));
    WarmUp.Result result = run(rule, new SimulatedWorkload(i -> MS * Math.pow(1.1, i)));

    assertThat(result.runs()).isEqualTo(33);
    assertThat(result.ended()).isEqualTo(Ended.CAP_RUNS);
  }

  @Test
  void stopsWhereItIsAskedTo() {
    SimulatedWorkload workload = new SimulatedWorkload(i -> MS * (i + 1));
    WarmUp.Result result = WarmUp.DEFAULT.run(workload, () -> workload.runs >= 10);

    assertThat(result.ended()).isEqualTo(Ended.CANCELLED);
    assertThat(result.runs()).isEqualTo((int) workload.runs).isLessThan(20);
  }

  @Test
  void refusesCapsBelowTheLeast() {
    assertThatThrownBy(() -> new WarmUp(20, Duration.ZERO, 10, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cap");
  }
}
