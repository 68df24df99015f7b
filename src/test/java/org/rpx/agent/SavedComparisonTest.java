package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Difference;
import org.rpx.agent.measure.Loop;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Pace;
import org.rpx.agent.measure.PercentileEstimate;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.measure.Verdict;
import org.rpx.agent.report.EfficiencyMetadata;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;

class SavedComparisonTest {
  private static EfficiencyReport report(Loop loop) {
    return new EfficiencyReport(
        new EfficiencyReport.Model("m.pt", "torchscript", 1L, "ab"),
        List.of(),
        EfficiencyMetadata.builder().build(),
        null,
        List.of(),
        new Measurement(
            "cpu",
            1.0,
            2.0,
            20,
            new Samples(new long[] {0}, new long[] {5}, 1),
            1,
            null,
            null,
            Course.UNKNOWN.withLoop(loop)),
        null,
        List.of());
  }

  /** Three processes of the same length; others kept some cores of two busy. */
  private static EfficiencyReport beside(double othersCores, double ms) {
    List<List<PercentileEstimate>> processes = new ArrayList<>();
    for (double each : new double[] {0.99, 1, 1.01})
      processes.add(List.of(new PercentileEstimate(50, each * ms * 1e6, null, 100, 100, null)));
    Map<String, Object> telemetry =
        Map.of(
            "load", Map.of("others_cores", othersCores, "steal_cores", 0.0),
            "cpu", Map.of("cores_available", 2.0));
    long ns = (long) (ms * 1e6);
    EfficiencyReport plain = report(Loop.PLAIN);
    Measurement m = plain.tier3();
    return plain.withTier3(
        new Measurement(
            m.device(),
            m.loadMs(),
            m.firstRunMs(),
            m.warmupRuns(),
            new Samples(new long[] {0}, new long[] {ns}, 1),
            1,
            null,
            null,
            m.course().withProcesses(processes),
            telemetry,
            null));
  }

  private static Difference difference(EfficiencyReport first, EfficiencyReport other) {
    return SavedComparison.of("a", first, "b", other, 0.01, false).rows().get(0).difference();
  }

  @Test
  void theSlowerSideBesideOtherLoadGetsNoVerdict() {
    assertThat(difference(beside(0, 10), beside(0, 20)).verdict()).isEqualTo(Verdict.SLOWER);
    Difference loaded = difference(beside(0, 10), beside(1.5, 20));
    assertThat(loaded.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(loaded.share()).isCloseTo(1, within(1e-9));
    assertThat(loaded.reason()).startsWith("b was measured beside other load");
    assertThat(difference(beside(1.5, 20), beside(0, 10)).reason()).startsWith("a was measured");
    // In spite of the load the first is the faster one.
    assertThat(difference(beside(1.5, 10), beside(0, 20)).verdict()).isEqualTo(Verdict.SLOWER);
  }

  @Test
  void keepsWhatTheReportsSayThatSpoilsTimes() {
    Warning load = new Warning(Warning.Code.OVERSUBSCRIBED, "others kept 1.0 of 2.0 cores busy");
    Warning input = new Warning(Warning.Code.DEFAULT_INPUT, "no --input was given");
    EfficiencyReport loaded = beside(1, 10).withWarnings(List.of(input, load));

    assertThat(SavedComparison.of("a", beside(0, 10), "b", loaded, 0.01, false).warnings())
        .containsExactly(
            new Warning(Warning.Code.OVERSUBSCRIBED, "b: others kept 1.0 of 2.0 cores busy"));
  }

  private static List<String> unlike(Loop first, Loop other) {
    return SavedComparison.of("a", report(first), "b", report(other), 0.01, false).unlike();
  }

  /** A latency from a release is another figure than one of runs back to back. */
  @Test
  void saysHowTheRunsWereMade() {
    Loop paced = new Loop(40L, null, List.of(0, 1), new Pace(30, new long[] {5}, null));

    assertThat(unlike(Loop.PLAIN, paced))
        .containsExactly("rate none and 30 Hz", "cpus none and [0, 1]");
    assertThat(unlike(new Loop(40L, 64L, null, null), Loop.PLAIN))
        .containsExactly("cold_cache flushed and none");
    assertThat(unlike(paced, paced)).isEmpty();
  }
}
