package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Loop;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Pace;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.report.EfficiencyMetadata;
import org.rpx.agent.report.EfficiencyReport;

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
