package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.rpx.agent.monitor.BlackBoxFile;
import org.rpx.agent.monitor.Cycle;

class BlackBoxScreenTest {
  private static final long MS = 1_000_000;

  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

  private static BlackBoxFile box(List<Cycle> cycles, Long deadline, boolean alive) {
    return new BlackBoxFile(
        Path.of("rpx-arm.ring"),
        "arm",
        List.of("see", "move"),
        null,
        deadline,
        START,
        42,
        alive,
        false,
        512,
        cycles,
        1);
  }

  /** Cycles 1001 to 1300 of 1 to 300 ms, half of it in each stage; those above 298 are misses. */
  private static List<Cycle> ramp() {
    return LongStream.rangeClosed(1, 300)
        .mapToObj(
            i ->
                new Cycle(
                    1000 + i,
                    i * 1000 * MS,
                    i * MS,
                    null,
                    null,
                    Math.max(0, i - 298),
                    0,
                    Math.max(0, i - 298),
                    Arrays.asList(i * MS / 2, i * MS)))
        .toList();
  }

  @Test
  void thePageTellsWhatTheCyclesSay() {
    String page =
        new BlackBoxScreen(true).page(box(ramp(), 298 * MS, true), START.plusSeconds(302));
    assertThat(page)
        .contains("arm  process 42, running")
        .contains("period not given, deadline 298.0000 ms")
        .contains("cycle 1,300, ended 1.7 s ago; the last 300:")
        .containsPattern("cycle +150.0000 +285.0000 +297.0000 +too few +300.0000")
        .containsPattern("see +75.0000 +142.5000 +148.5000 +too few +150.0000")
        .contains("misses   2 since the start; 2 of these, longest run 2; missing now")
        .contains("skipped  unknown: no period given")
        .contains("torn     1 records")
        .contains("longest  cycle 1,300 at 2026-01-02T03:09:05Z: 300.0000 ms")
        .containsPattern("move +150.0000   p50 75.0000")
        .doesNotContain("null");
    String spark = page.lines().filter(l -> l.contains("█")).findFirst().orElseThrow().strip();
    assertThat(spark).hasSize(72).startsWith("▁").endsWith("█");
    assertThat(spark.chars().toArray()).isSorted();
  }

  @Test
  void oneCycleAndNoneAreShownToo() {
    Cycle only = new Cycle(1, null, 5, null, null, 0, 0, 0, Arrays.asList(null, null));
    assertThat(new BlackBoxScreen(false).page(box(List.of(only), null, false), START))
        .contains("gone without closing it", "misses   unknown: no deadline given")
        .contains("longest  cycle 1: 0.0000 ms", "#", "n/a")
        .doesNotContain("null");
    assertThat(new BlackBoxScreen(false).page(box(List.of(), null, true), START))
        .contains("no cycle has ended yet");
  }
}
