package org.rpx.agent.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SnapshotsTest {
  /** {@code -Drpx.seconds=10} for longer. */
  private static final long NANOS = Long.getLong("rpx.seconds", 2) * 1_000_000_000;

  /** One thread writes as fast as it can, this one reads; each snapshot must add up. */
  @Test
  void snapshotsAreConsistentUnderFullSpeedWriting() throws InterruptedException {
    LatencyMonitor monitor =
        LatencyMonitor.named("fast")
            // Every cycle is a miss: three counts that must agree.
            .deadline(Duration.ofNanos(1))
            .period(Duration.ofSeconds(1))
            .window(Duration.ofMillis(100))
            .stages("a", "b", "c")
            .build();
    AtomicLong written = new AtomicLong();
    long stop = System.nanoTime() + NANOS;
    Thread writer =
        new Thread(
            () -> {
              long cycles = 0;
              long now = 0;
              while (System.nanoTime() < stop) {
                for (int i = 0; i < 100; i++, cycles++) {
                  long cycle = monitor.begin(now);
                  monitor.mark(0, now += 10 + (cycles & 7));
                  monitor.mark(1, now += 2000);
                  monitor.end(cycle, now += 5);
                }
              }
              written.set(cycles);
            });
    writer.start();
    long before = 0;
    int snapshots = 0;
    int growing = 0;
    while (writer.isAlive()) {
      MonitorSnapshot snapshot = monitor.snapshot();
      check(snapshot.sinceStart());
      check(snapshot.window());
      assertThat(snapshot.current()).isTrue();
      long count = snapshot.sinceStart().whole().count();
      assertThat(count).isGreaterThanOrEqualTo(before);
      assertThat(snapshot.window().whole().count()).isLessThanOrEqualTo(count);
      if (count > before) growing++;
      before = count;
      snapshots++;
    }
    writer.join();
    MonitorSnapshot last = monitor.snapshot();
    check(last.sinceStart());
    assertThat(last.sinceStart().whole().count()).isEqualTo(written.get()).isPositive();
    assertThat(last.wrongUse().total()).isZero();
    assertThat(snapshots).isGreaterThan(10);
    assertThat(growing).isGreaterThan(10);
  }

  private static void check(SpanFigures span) {
    LatencyFigures whole = span.whole();
    long count = whole.count();
    long stagesSum = 0;
    for (LatencyFigures stage : span.stages()) {
      assertThat(stage.count()).isEqualTo(count);
      stagesSum += sum(stage);
      ordered(stage);
    }
    ordered(whole);
    assertThat(stagesSum).isEqualTo(sum(whole));
    assertThat(span.misses()).isEqualTo(count);
    assertThat(span.lateness().count() + span.extra()).isEqualTo(count);
    if (count > 0) assertThat(span.longestMissRun()).isGreaterThanOrEqualTo(count);
  }

  /** Exact: sums stay far below 2^53. */
  private static long sum(LatencyFigures figures) {
    return figures.count() == 0 ? 0 : Math.round(figures.mean() * figures.count());
  }

  private static void ordered(LatencyFigures f) {
    if (f.count() == 0) return;
    assertThat(new long[] {f.min(), f.p50(), f.p95(), f.p99(), f.p999(), f.max()}).isSorted();
  }

  /** A reader never waits for ever for a writer that is held between enter and leave. */
  @Test
  void aHeldWriterDelaysItsCyclesAndNoReader() {
    Exchange exchange = new Exchange(0);
    exchange.enter().misses = 3;
    assertThat(exchange.drain(1_000_000)).isNull();
    exchange.leave();
    exchange.enter().misses = 4;
    exchange.leave();
    Tally first = exchange.drain(1_000_000);
    assertThat(first.misses).isEqualTo(3);
    first.clear();
    assertThat(exchange.drain(1_000_000).misses).isEqualTo(4);
  }
}
