package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.rpx.agent.gate.Figure;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Interval;
import org.rpx.agent.measure.Loop;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.PercentileEstimate;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.report.EfficiencyMetadata;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;
import org.rpx.agent.report.Warning.Code;

/** What timed runs say against their own figures, and what a gate finds of them. */
class FlagsTest {
  private static Measurement of(int n, IntToDoubleFunction ms, Course course) {
    Random noise = new Random(7);
    long[] starts = new long[n];
    long[] durations = new long[n];
    for (int i = 0; i < n; i++) {
      durations[i] = (long) (1e6 * ms.applyAsDouble(i) * (1 + 0.005 * noise.nextGaussian()));
      if (i > 0) starts[i] = starts[i - 1] + durations[i - 1];
    }
    return new Measurement(
        "cpu", 1.0, 2.0, 20, new Samples(starts, durations, n), 1, null, null, course);
  }

  private static Course course(String warmUp) {
    return new Course(warmUp, 20.0, "iterations", Course.PERCENTILES);
  }

  private static List<Code> codes(Measurement measured) {
    return Flags.of(measured).stream().map(Warning::code).toList();
  }

  @Test
  void saysNothingOfSteadyRuns() {
    assertThat(codes(of(1000, i -> 5, course("steady")))).isEmpty();
  }

  @Test
  void saysWhichPercentilesHaveTooFewSamples() {
    List<Warning> flags = Flags.of(of(100, i -> 5, course("steady")));
    assertThat(flags).hasSize(1);
    assertThat(flags.get(0).code()).isEqualTo(Code.TOO_FEW_SAMPLES);
    assertThat(flags.get(0).message()).contains("p99 needs 299 samples, has 100");
  }

  @Test
  void tellsDriftAndWarmUpFromOtherChanges() {
    assertThat(codes(of(1000, i -> 5 + 0.001 * i, course("steady")))).contains(Code.TREND);
    assertThat(codes(of(1000, i -> i < 100 ? 8 : 5, course("steady")))).contains(Code.TREND);
    assertThat(codes(of(1000, i -> i < 500 ? 5 : 6, course("steady"))))
        .contains(Code.UNSTABLE)
        .doesNotContain(Code.TREND);
  }

  /** 19 times 50 ns are less than 20 times, 21 are not. */
  @Test
  void saysWhereTheLoopItselfShows() {
    Course floor = course("steady").withLoop(new Loop(50L, null, null, null));
    assertThat(codes(of(1000, i -> 19 * 50e-6, floor))).containsExactly(Code.TIMER_FLOOR);
    assertThat(codes(of(1000, i -> 21 * 50e-6, floor))).isEmpty();
  }

  private static EfficiencyReport report(Measurement measured) {
    return new EfficiencyReport(
        new EfficiencyReport.Model("m.pt", "torchscript", 1L, null),
        List.of(),
        EfficiencyMetadata.builder().build(),
        null,
        List.of(),
        measured,
        null,
        List.of());
  }

  @Test
  void gatesTakeThePercentilesInterval() {
    Figure p50 = report(of(1000, i -> 5, course("steady"))).figures().get("p50_ms");
    // σ of a median of 1000: 1.2533 · 0.025 / √1000 = 0.001 ms; the interval is about ±0.002.
    assertThat(p50.value()).isBetween(4.995, 5.005);
    assertThat(p50.high() - p50.low()).isBetween(0.002, 0.008);
  }

  @Test
  void gatesTakeTheSpreadBetweenProcessesWhereItIsKnown() {
    // Three processes: 4, 5 and 6.25 ms; ln 5 ± t(2; 0.975) · ln 1.25 / √3 = 4.303 · 0.2231 / 1.732
    List<List<PercentileEstimate>> processes = List.of(process(4e6), process(5e6), process(6.25e6));
    Measurement measured = of(1000, i -> 5, course("steady").withProcesses(processes));
    Figure p50 = report(measured).figures().get("p50_ms");
    double half = 4.302653 * Math.log(1.25) / Math.sqrt(3);
    assertThat(p50.value()).isCloseTo(5, org.assertj.core.data.Offset.offset(1e-9));
    assertThat(p50.low()).isCloseTo(5 * Math.exp(-half), org.assertj.core.data.Offset.offset(1e-5));
    assertThat(p50.high()).isCloseTo(5 * Math.exp(half), org.assertj.core.data.Offset.offset(1e-5));
  }

  private static List<PercentileEstimate> process(double ns) {
    return List.of(
        new PercentileEstimate(50, ns, new Interval(ns * 0.99, ns * 1.01), 1000, 1000, 6));
  }

  @Test
  void aFigureThatIsNotKnownSaysWhy() {
    assertThat(report(of(100, i -> 5, course("steady"))).figures().get("p99_ms").missing())
        .contains("p99 needs 299 samples");
    assertThat(report(null).figures().get("p50_ms").missing()).isEqualTo("nothing was timed");
    assertThat(report(null).figures().get("flops").missing()).isEqualTo("the report has no tier 1");
  }
}
