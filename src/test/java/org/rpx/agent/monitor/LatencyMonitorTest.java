package org.rpx.agent.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hand-made schedules, by injected times: a period of 1000 ns and a deadline of 800. */
class LatencyMonitorTest {
  private final LatencyMonitor monitor =
      LatencyMonitor.named("test")
          .period(Duration.ofNanos(1000))
          .deadline(Duration.ofNanos(800))
          .stages("camera", "infer", "act")
          .build();

  private void cycle(long begin, long duration) {
    long cycle = monitor.begin(begin);
    monitor.end(cycle, begin + duration);
  }

  private SpanFigures all() {
    return monitor.snapshot().sinceStart();
  }

  @Test
  void stagesLieBetweenMarksAndTheLastEndsWithTheCycle() {
    long cycle = monitor.begin(5_000);
    monitor.mark(0, 5_100);
    monitor.mark(1, 5_400);
    monitor.end(cycle, 5_450);
    assertThat(all().whole().max()).isEqualTo(450);
    assertThat(all().stages()).extracting(LatencyFigures::max).containsExactly(100L, 300L, 50L);
    assertThat(all().stages()).extracting(LatencyFigures::count).containsOnly(1L);
  }

  @Test
  void whatComesAfterTheLastMarkBelongsToNoStage() {
    long cycle = monitor.begin(0);
    monitor.mark(0, 10);
    monitor.mark(1, 30);
    monitor.mark(2, 60);
    monitor.end(cycle, 100);
    assertThat(all().stages()).extracting(LatencyFigures::max).containsExactly(10L, 20L, 30L);
    assertThat(all().whole().max()).isEqualTo(100);
  }

  @Test
  void aStageThatIsLeftOutHasNoSample() {
    long cycle = monitor.begin(0);
    monitor.mark(1, 30);
    monitor.end(cycle, 100);
    cycle(1000, 50);
    assertThat(all().stages()).extracting(LatencyFigures::count).containsExactly(0L, 1L, 1L);
    assertThat(all().stages().get(0).p50()).isNull();
    assertThat(all().stages().get(1).max()).isEqualTo(30);
    assertThat(all().whole().count()).isEqualTo(2);
    assertThat(monitor.snapshot().wrongUse().total()).isZero();
  }

  @Test
  void missesAndTheirLongestRun() {
    long[] durations = {801, 800, 900, 900, 100, 900, 900, 900, 800};
    for (int i = 0; i < durations.length; i++) cycle(i * 1000L, durations[i]);
    assertThat(all().misses()).isEqualTo(6);
    assertThat(all().longestMissRun()).isEqualTo(3);
  }

  @Test
  void aRunThatReachesIntoAWindowCountsWhole() throws InterruptedException {
    LatencyMonitor windowed =
        LatencyMonitor.named("windowed")
            .deadline(Duration.ofNanos(800))
            .window(Duration.ofMillis(1))
            .build();
    for (int i = 0; i < 5; i++) windowed.record(900);
    Thread.sleep(2);
    assertThat(windowed.snapshot().window().misses()).isEqualTo(5);
    windowed.record(900);
    windowed.record(1);
    Thread.sleep(2);
    SpanFigures window = windowed.snapshot().window();
    assertThat(window.misses()).isEqualTo(1);
    assertThat(window.longestMissRun()).isEqualTo(6);
    assertThat(window.whole().count()).isEqualTo(2);
    assertThat(windowed.snapshot().sinceStart().misses()).isEqualTo(6);
  }

  @Test
  void releasesThatPassWithoutACycleAreSkipped() {
    cycle(0, 10);
    cycle(1_200, 10);
    // Releases at 2000 and 3000 pass; this one is the one at 4000.
    cycle(4_300, 10);
    cycle(5_000, 10);
    assertThat(all().skipped()).isEqualTo(2);
    assertThat(all().extra()).isZero();
    assertThat(all().lateness().count()).isEqualTo(4);
    assertThat(all().lateness().max()).isEqualTo(300);
    assertThat(all().lateness().mean()).isEqualTo((0 + 200 + 300 + 0) / 4.0);
  }

  @Test
  void anEarlyBeginPullsTheScheduleForward() {
    cycle(0, 10);
    cycle(900, 10);
    cycle(1_900, 10);
    cycle(2_950, 10);
    assertThat(all().skipped()).isZero();
    assertThat(all().lateness().max()).isEqualTo(50);
  }

  @Test
  void cyclesThatCatchUpAreExtraAndMoveNoSchedule() {
    cycle(0, 10);
    cycle(3_010, 10);
    cycle(3_030, 10);
    cycle(3_050, 10);
    cycle(4_000, 10);
    assertThat(all().skipped()).isEqualTo(2);
    assertThat(all().extra()).isEqualTo(2);
    assertThat(all().lateness().count()).isEqualTo(3);
    assertThat(all().lateness().max()).isEqualTo(10);
  }

  @Test
  void fromItsReleaseAQueuedCycleIsLateThoughItWasQuick() {
    for (int i = 0; i < 3; i++) {
      long release = 1000 + i * 1000L;
      // All three begin after a stall that ends at 3500.
      long cycle = monitor.beginReleased(3_500 + i * 10L, release);
      monitor.end(cycle, 3_500 + i * 10L + 5);
    }
    // 2505, 1515 and 525 after their releases.
    assertThat(all().misses()).isEqualTo(2);
    assertThat(all().lateness().max()).isEqualTo(2_500);
    assertThat(all().skipped()).isZero();
    monitor.end(monitor.beginReleased(6_000, 6_000), 6_010);
    assertThat(all().skipped()).isEqualTo(2);
  }

  @Test
  void withoutPeriodOrDeadlineTheirFiguresAreUnknown() {
    LatencyMonitor bare = LatencyMonitor.named("bare").build();
    bare.end(bare.begin(0), 40);
    bare.record(60);
    SpanFigures figures = bare.snapshot().sinceStart();
    assertThat(figures.misses()).isNull();
    assertThat(figures.longestMissRun()).isNull();
    assertThat(figures.skipped()).isNull();
    assertThat(figures.extra()).isNull();
    assertThat(figures.lateness().count()).isZero();
    assertThat(figures.whole().count()).isEqualTo(2);
    assertThat(figures.whole().mean()).isEqualTo(50);
    assertThat(bare.snapshot().blackBox()).isNull();
  }

  @Test
  void deviceTimesOfThisCycleAndOfEarlierOnes() {
    long first = monitor.begin(0);
    monitor.end(first, 10);
    long second = monitor.begin(1000);
    monitor.device(first, 7);
    monitor.device(second, 9);
    monitor.device(second + 1, 1);
    monitor.end(second, 1010);
    assertThat(all().device().count()).isEqualTo(2);
    assertThat(all().device().mean()).isEqualTo(8);
    assertThat(monitor.snapshot().wrongUse().badValues()).isEqualTo(1);
  }

  @Test
  void wrongUseIsCountedAndChangesNothing() {
    monitor.mark(0, 1);
    monitor.end(1, 2);
    long cycle = monitor.begin(10);
    monitor.mark(1, 20);
    monitor.mark(0, 30);
    monitor.mark(1, 30);
    monitor.mark(3, 30);
    monitor.mark(-1, 30);
    monitor.end(cycle + 1, 35);
    monitor.end(cycle, 40);
    monitor.end(cycle, 50);
    monitor.begin(1000);
    monitor.end(monitor.begin(1010), 1020);
    monitor.record(-1);
    assertThat(monitor.snapshot().wrongUse()).isEqualTo(new WrongUse(1, 3, 1, 4, 0, 1));
    assertThat(all().whole().count()).isEqualTo(2);
    assertThat(all().whole().max()).isEqualTo(30);
  }

  @Test
  void aSecondThreadIsRefusedUntilItClaims() throws InterruptedException {
    cycle(0, 10);
    Thread second =
        new Thread(
            () -> {
              long cycle = monitor.begin(1000);
              assertThat(cycle).isZero();
              monitor.mark(0, 1010);
              monitor.end(cycle, 1020);
              monitor.record(5);
            });
    second.start();
    second.join();
    assertThat(monitor.snapshot().wrongUse().otherThreads()).isEqualTo(4);
    assertThat(all().whole().count()).isEqualTo(1);
    Thread third =
        new Thread(
            () -> {
              monitor.claim();
              cycle(2000, 30);
            },
            "loop");
    third.start();
    third.join();
    assertThat(all().whole().count()).isEqualTo(2);
    assertThat(monitor.snapshot().writer()).isEqualTo("loop");
    // Its writer has ended: whoever comes next may write.
    cycle(3000, 20);
    assertThat(all().whole().count()).isEqualTo(3);
    assertThat(monitor.snapshot().wrongUse().otherThreads()).isEqualTo(4);
  }

  @Test
  void theTextTellsWhatTheRecordsHold() {
    cycle(0, 900);
    assertThat(monitor.snapshot().toString())
        .contains("test: 1 cycles", "1 deadline misses, longest run 1", "infer", "~0.0009")
        .doesNotContain("null", "wrong use");
  }

  @Test
  void theBuilderRefusesWhatItCannotKeep() {
    assertThatThrownBy(() -> LatencyMonitor.named("../x")).hasMessageContaining("'../x'");
    MonitorBuilder builder = LatencyMonitor.named("x");
    assertThatThrownBy(() -> builder.period(Duration.ZERO)).hasMessageContaining("period PT0S");
    assertThatThrownBy(() -> builder.stages("a", "a")).hasMessageContaining("'a' is used twice");
    assertThatThrownBy(() -> builder.stages(" ")).hasMessageContaining("stage name");
    assertThatThrownBy(() -> builder.stages(new String[33])).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> builder.blackBox(java.nio.file.Path.of("."), 15))
        .hasMessageContaining("16 to 1048576");
    assertThat(List.of(builder.build().name())).containsExactly("x");
  }
}
