package org.rpx.agent.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.rpx.agent.monitor.BlackBoxFile;
import org.rpx.agent.monitor.Cycle;
import org.rpx.agent.monitor.LatencyFigures;

/** A black box as a page of text. */
final class BlackBoxScreen {
  private static final int WIDTH = 72;
  private final String bars;

  /**
   * @param unicode whether the terminal has the block elements
   */
  BlackBoxScreen(boolean unicode) {
    bars = unicode ? "▁▂▃▄▅▆▇█" : "_.-=+*%#";
  }

  /**
   * @param now when the file was read
   */
  String page(BlackBoxFile box, Instant now) {
    StringBuilder out = new StringBuilder();
    line(out, "%s  process %d, %s", box.name(), box.pid(), state(box));
    line(
        out,
        "  began %s, period %s, deadline %s",
        box.started(),
        given(box.periodNanos()),
        given(box.deadlineNanos()));
    List<Cycle> cycles = box.cycles();
    if (cycles.isEmpty()) {
      line(out, "  no cycle has ended yet");
      return out.toString();
    }
    Cycle last = cycles.get(cycles.size() - 1);
    line(out, "  cycle %,d%s; the last %,d:", last.number(), age(box, last, now), cycles.size());
    line(out, "%n  %-20s %10s %10s %10s %10s %10s", "ms", "p50", "p95", "p99", "p99.9", "max");
    row(out, "cycle", box.whole());
    for (int i = 0; i < box.stages().size(); i++) {
      row(out, "  " + box.stages().get(i), box.stage(i));
    }
    if (box.device().count() > 0) row(out, "device", box.device());
    if (box.lateness().count() > 0) row(out, "begin after release", box.lateness());
    line(out, "%n  misses   %s", misses(box, last));
    line(
        out,
        "  skipped  %s",
        box.periodNanos() == null
            ? "unknown: no period given"
            : String.format(Locale.ROOT, "%,d since the start", last.skipped()));
    if (box.torn() > 0) line(out, "  torn     %,d records that are not whole", box.torn());
    spark(out, cycles);
    worst(out, box);
    return out.toString();
  }

  private static String state(BlackBoxFile box) {
    if (box.closed()) return "closed";
    return box.alive() ? "running" : "gone without closing it";
  }

  /** So that a loop that hangs is told from one that is quiet. */
  private static String age(BlackBoxFile box, Cycle last, Instant now) {
    if (!box.alive() || box.closed() || last.beginNanos() == null) return "";
    Instant end = box.started().plusNanos(last.beginNanos()).plusNanos(last.durationNanos());
    double seconds = Math.max(0, Duration.between(end, now).toNanos() / 1e9);
    return String.format(Locale.ROOT, ", ended %.1f s ago", seconds);
  }

  private static String given(Long nanos) {
    return nanos == null ? "not given" : ms(nanos) + " ms";
  }

  private static String misses(BlackBoxFile box, Cycle last) {
    if (box.deadlineNanos() == null) return "unknown: no deadline given";
    long here = box.cycles().stream().filter(Cycle::missed).count();
    long run = box.cycles().stream().mapToLong(Cycle::missRun).max().orElse(0);
    return String.format(
        Locale.ROOT,
        "%,d since the start; %,d of these, longest run %,d%s",
        last.misses(),
        here,
        run,
        last.missed() ? "; missing now" : "");
  }

  /** The longest cycle of each stretch, from 0 to the longest of all. */
  private void spark(StringBuilder out, List<Cycle> cycles) {
    int columns = Math.min(WIDTH, cycles.size());
    List<Long> tops = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      int from = (int) ((long) i * cycles.size() / columns);
      int to = (int) ((i + 1L) * cycles.size() / columns);
      tops.add(cycles.subList(from, to).stream().mapToLong(Cycle::durationNanos).max().orElse(0));
    }
    long top = Math.max(1, tops.stream().mapToLong(v -> v).max().orElse(1));
    StringBuilder line = new StringBuilder();
    for (long each : tops) {
      int bar = (int) Math.round((bars.length() - 1) * ((double) each / top));
      line.append(bars.charAt(Math.max(0, Math.min(bars.length() - 1, bar))));
    }
    line(out, "%n  %s", line);
    line(
        out,
        "  oldest to newest, 0 to %s ms; the longest of each %,d",
        ms(top),
        Math.max(1, cycles.size() / columns));
  }

  private static void worst(StringBuilder out, BlackBoxFile box) {
    Cycle worst =
        box.cycles().stream().max(Comparator.comparingLong(Cycle::durationNanos)).orElseThrow();
    String at =
        worst.beginNanos() == null ? "" : " at " + box.started().plusNanos(worst.beginNanos());
    line(out, "%n  longest  cycle %,d%s: %s ms", worst.number(), at, ms(worst.durationNanos()));
    for (int i = 0; i < box.stages().size(); i++) {
      Long took = worst.stageNanos(i);
      LatencyFigures all = box.stage(i);
      line(
          out,
          "    %-18s %10s%s",
          box.stages().get(i),
          took == null ? "n/a" : ms(took),
          all.p50() == null ? "" : "   p50 " + ms(all.p50()));
    }
  }

  private static void row(StringBuilder out, String name, LatencyFigures f) {
    line(
        out,
        "    %-18s %10s %10s %10s %10s %10s",
        name,
        tail(f, f.p50(), 0.5),
        tail(f, f.p95(), 0.95),
        tail(f, f.p99(), 0.99),
        tail(f, f.p999(), 0.999),
        tail(f, f.max(), 0));
  }

  /** A tail of too few cycles is no figure: the maximum stands beside it. */
  private static String tail(LatencyFigures f, Long nanos, double quantile) {
    boolean few = quantile > 0.5 && f.count() < LatencyFigures.neededFor(quantile);
    return nanos == null ? "n/a" : few ? "too few" : ms(nanos);
  }

  private static String ms(long nanos) {
    return String.format(Locale.ROOT, "%.4f", nanos / 1e6);
  }

  private static void line(StringBuilder out, String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
