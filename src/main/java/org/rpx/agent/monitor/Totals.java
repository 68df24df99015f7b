package org.rpx.agent.monitor;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The readers' side of a monitor: everything since its start, and the windows. */
final class Totals {
  /** A writer leaves in nanoseconds, or in a scheduler's slice where it lost its core. */
  private static final long PATIENCE = 200_000_000;

  private final MonitorBuilder settings;
  private final Exchange exchange;
  private final long start;
  private final Instant startInstant = Instant.now();
  private final Tally total;
  private final Tally window;
  private long windowStart;
  private SpanFigures lastWindow;

  Totals(MonitorBuilder settings, Exchange exchange, long start) {
    this.settings = settings;
    this.exchange = exchange;
    this.start = start;
    windowStart = start;
    total = new Tally(settings.stages.size());
    window = new Tally(settings.stages.size());
  }

  synchronized MonitorSnapshot snapshot(
      long now, String writer, WrongUse wrongUse, BlackBoxState box) {
    boolean current = drain();
    SpanFigures shown = lastWindow;
    if (now - windowStart >= settings.window) {
      shown = lastWindow = span(window, windowStart, now);
      window.clear();
      windowStart = now;
    } else if (shown == null) {
      shown = span(window, windowStart, now);
    }
    return new MonitorSnapshot(
        settings.name,
        settings.stages,
        settings.period == 0 ? null : settings.period,
        settings.deadline == 0 ? null : settings.deadline,
        writer,
        span(total, start, now),
        shown,
        wrongUse,
        box,
        current);
  }

  /** Whether the writer let go of them. */
  private boolean drain() {
    Tally fresh = exchange.drain(PATIENCE);
    if (fresh == null) return false;
    total.add(fresh);
    window.add(fresh);
    fresh.clear();
    return true;
  }

  synchronized List<BucketCounts> buckets() {
    drain();
    List<BucketCounts> all = new ArrayList<>();
    all.add(BucketCounts.of("cycle", total.whole));
    for (int i = 0; i < total.stages.length; i++) {
      all.add(BucketCounts.of(settings.stages.get(i), total.stages[i]));
    }
    all.add(BucketCounts.of("begin after release", total.lateness));
    all.add(BucketCounts.of("device", total.device));
    return all;
  }

  private SpanFigures span(Tally tally, long from, long to) {
    return SpanFigures.of(
        tally, instant(from), instant(to), settings.deadline > 0, settings.period > 0);
  }

  private Instant instant(long nanoTime) {
    return startInstant.plusNanos(nanoTime - start);
  }
}
