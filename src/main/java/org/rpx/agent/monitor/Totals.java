package org.rpx.agent.monitor;

import java.time.Instant;

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
    Tally fresh = exchange.drain(PATIENCE);
    if (fresh != null) {
      total.add(fresh);
      window.add(fresh);
      fresh.clear();
    }
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
        fresh != null);
  }

  private SpanFigures span(Tally tally, long from, long to) {
    return SpanFigures.of(
        tally, instant(from), instant(to), settings.deadline > 0, settings.period > 0);
  }

  private Instant instant(long nanoTime) {
    return startInstant.plusNanos(nanoTime - start);
  }
}
