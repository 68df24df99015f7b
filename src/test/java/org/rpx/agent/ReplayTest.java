package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rpx.agent.gate.Figure;
import org.rpx.agent.monitor.BlackBoxFile;
import org.rpx.agent.monitor.Cycle;
import org.rpx.agent.report.SweepReport;

class ReplayTest {
  /** 300 cycles of 10 ms and 1 µs a number; camera takes 2 ms of it, act is marked in none. */
  private static BlackBoxFile box(Long deadline) {
    List<Cycle> cycles = new ArrayList<>();
    for (int i = 1; i <= 300; i++) {
      long took = 10_000_000 + 1000L * i;
      List<Long> ends = new ArrayList<>(java.util.Arrays.asList(2_000_000L, took, null));
      cycles.add(
          new Cycle(i, 20_000_000L * i, took, 0L, null, i / 100, 5, i % 100 == 0 ? 1 : 0, ends));
    }
    return new BlackBoxFile(
        Path.of("rpx-policy.ring"),
        "policy",
        List.of("camera", "infer", "act"),
        20_000_000L,
        deadline,
        Instant.EPOCH,
        1,
        false,
        true,
        4096,
        cycles,
        0);
  }

  @Test
  void makesAReportOfCyclesAndOneOfEachStage() {
    SweepReport report = Replay.of(box(10_250_000L));

    assertThat(report.points())
        .extracting(p -> p.settings().get("stage"))
        .containsExactly("whole cycle", "camera", "infer", "act");
    // The median of 10.001 … 10.300 ms.
    assertThat(report.points().get(0).report().tier3().percentileMs(50)).isEqualTo(10.1505);
    assertThat(report.points().get(1).report().tier3().percentileMs(99)).isEqualTo(2.0);
    assertThat(report.points().get(2).report().tier3().percentileMs(50)).isEqualTo(8.1505);
    assertThat(report.points().get(3).failure()).isEqualTo("no cycle in the black box has it");
    assertThat(report.points().get(0).report().metadata().latencyP50Ms()).isEqualTo(10.15);
  }

  @Test
  void gatesNameStagesAndMisses() {
    BlackBoxFile box = box(10_250_000L);
    Map<String, Figure> figures = Replay.figures(box, Replay.of(box));

    assertThat(figures.get("p50_ms").value()).isEqualTo(10.1505);
    assertThat(figures.get("infer.p50_ms").value()).isEqualTo(8.1505);
    assertThat(figures.get("deadline_misses")).isEqualTo(Figure.exact(3));
    assertThat(figures.get("longest_miss_run")).isEqualTo(Figure.exact(1));
    assertThat(figures.get("skipped")).isEqualTo(Figure.exact(5));
    BlackBoxFile free = box(null);
    assertThat(Replay.figures(free, Replay.of(free)).get("deadline_misses").missing())
        .isEqualTo("the loop has no deadline");
  }
}
