package org.rpx.agent.monitor;

import java.util.Locale;

/** A snapshot as a table of text. */
final class SnapshotText {
  private final MonitorSnapshot snapshot;
  private final StringBuilder out = new StringBuilder();
  private boolean few;

  SnapshotText(MonitorSnapshot snapshot) {
    this.snapshot = snapshot;
    line("%s: %,d cycles", snapshot.name(), snapshot.sinceStart().whole().count());
    span("since start", snapshot.sinceStart());
    span("window", snapshot.window());
    if (snapshot.wrongUse().total() > 0) line("  wrong use: %s", snapshot.wrongUse());
    if (!snapshot.current()) line("  the last cycles are missing: the writer is held in an end");
    BlackBoxState box = snapshot.blackBox();
    if (box != null) {
      line("  black box %s: %s", box.path(), box.recording() ? "recording" : "not recording");
      if (box.problem() != null) line("    %s", box.problem());
      if (box.missReports() + box.missesUnreported() > 0) {
        line("    %d miss reports, %d misses without", box.missReports(), box.missesUnreported());
      }
    }
    if (few) line("  ~ too few cycles: p95 wants 59, p99 299, p99.9 2995");
    line("  percentiles within %.3f %%", 100 * MonitorSnapshot.QUANTILE_ERROR);
  }

  private void span(String title, SpanFigures span) {
    double seconds = java.time.Duration.between(span.from(), span.to()).toNanos() / 1e9;
    line("  %-20s %10s %10s %10s %10s %10s", title + " (ms)", "p50", "p95", "p99", "p99.9", "max");
    row("cycle", span.whole());
    for (int i = 0; i < span.stages().size(); i++) {
      row("  " + snapshot.stages().get(i), span.stages().get(i));
    }
    if (span.device().count() > 0) row("device", span.device());
    if (span.lateness().count() > 0) row("begin after release", span.lateness());
    line(
        "    %,d cycles in %.1f s; %s; %s",
        span.whole().count(),
        seconds,
        span.misses() == null
            ? "no deadline given"
            : String.format(
                Locale.ROOT,
                "%,d deadline misses, longest run %,d",
                span.misses(),
                span.longestMissRun()),
        span.skipped() == null
            ? "no period given"
            : String.format(Locale.ROOT, "%,d skipped, %,d extra", span.skipped(), span.extra()));
  }

  private void row(String name, LatencyFigures f) {
    line(
        "    %-18s %10s %10s %10s %10s %10s",
        name,
        ms(f, f.p50(), 0.5),
        ms(f, f.p95(), 0.95),
        ms(f, f.p99(), 0.99),
        ms(f, f.p999(), 0.999),
        ms(f, f.max(), 0));
  }

  /** A tail of too few samples is marked: it may lie anywhere above. */
  private String ms(LatencyFigures f, Long nanos, double quantile) {
    if (nanos == null) return "n/a";
    boolean marked = quantile > 0.5 && f.count() < LatencyFigures.neededFor(quantile);
    few |= marked;
    return String.format(Locale.ROOT, "%s%.4f", marked ? "~" : "", nanos / 1e6);
  }

  private void line(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
