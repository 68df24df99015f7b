package org.rpx.agent.report;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleFunction;
import org.rpx.agent.gate.Gate;
import org.rpx.agent.measure.Measurement;

/** A sweep as a table, a row a point: aligned for a terminal, or as Markdown. */
final class SweepTable {
  private static final List<String> FIGURES =
      List.of("FLOPs", "p50", "p95", "p99", "samples/s", "resident peak");

  private final List<List<String>> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final int settings;

  SweepTable(SweepReport sweep) {
    List<String> names =
        sweep.points().isEmpty()
            ? List.of()
            : List.copyOf(sweep.points().get(0).settings().keySet());
    settings = names.size();
    List<String> heading = new ArrayList<>(names);
    heading.addAll(FIGURES);
    rows.add(heading);
    for (SweepReport.Point point : sweep.points()) {
      List<String> row = new ArrayList<>(point.settings().values());
      row.addAll(figures(point.report()));
      rows.add(row);
      note(point);
    }
    sweep.gates().forEach(g -> notes.add(words(g)));
  }

  /** Aligned columns, what went wrong under them. */
  void write(Ink ink, Writer out) throws IOException {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows)
      for (int i = 0; i < widths.length; i++)
        widths[i] = Math.max(widths[i], Ink.width(ink.clean(row.get(i))));
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = ink.clean(row.get(i));
        line.append(i < settings ? Ink.left(cell, widths[i]) : Ink.right(cell, widths[i]));
        line.append("  ");
      }
      out.write(line.toString().stripTrailing() + "\n");
    }
    for (String note : notes) out.write(ink.clean(note) + "\n");
    out.flush();
  }

  /** A GitHub-flavoured Markdown table, what went wrong as a list under it. */
  void markdown(Writer out) throws IOException {
    for (int i = 0; i < rows.size(); i++) {
      List<String> cells = rows.get(i).stream().map(MarkdownReport::cell).toList();
      out.write("| " + String.join(" | ", cells) + " |\n");
      if (i > 0) continue;
      List<String> rule = new ArrayList<>(Collections.nCopies(settings, "---"));
      rule.addAll(Collections.nCopies(FIGURES.size(), "--:"));
      out.write("| " + String.join(" | ", rule) + " |\n");
    }
    if (!notes.isEmpty()) out.write("\n");
    for (String note : notes) out.write("- " + MarkdownReport.escaped(note) + "\n");
    out.flush();
  }

  private void note(SweepReport.Point point) {
    StringBuilder name = new StringBuilder();
    point
        .settings()
        .forEach((k, v) -> name.append(name.length() > 0 ? ", " : "").append(k + " " + v));
    if (point.failure() != null) notes.add(name + ": " + point.failure());
    else
      for (Warning warning : point.report().warnings())
        if (!warning.explainsNoTier1())
          notes.add(name + ": warning " + warning.code() + ": " + warning.message());
    if (point.report() != null)
      point.report().gates().forEach(g -> notes.add(name + ": " + words(g)));
  }

  private static String words(Gate.Result gate) {
    return "gate " + gate.gate().text() + ": " + gate.verdict() + " (" + gate.why() + ")";
  }

  private static List<String> figures(EfficiencyReport report) {
    if (report == null) return Collections.nCopies(FIGURES.size(), "n/a");
    List<String> cells = new ArrayList<>();
    cells.add(
        report.tier1() == null || report.tier1().flops() == null
            ? "n/a"
            : Quantity.count(report.tier1().flops(), "FLOP").text());
    Measurement measured = report.tier3();
    if (measured == null || measured.samples().count() == 0) {
      cells.addAll(Collections.nCopies(FIGURES.size() - 1, "n/a"));
      return cells;
    }
    for (double p : new double[] {50, 95, 99})
      cells.add(figure(measured.percentileMs(p), Quantity::time));
    cells.add(figure(measured.throughputPerS(), rate -> Quantity.count(rate, "")));
    cells.add(
        figure(measured.peak() == null ? null : measured.peak().cpuRssMb(), Quantity::mebibytes));
    return cells;
  }

  private static String figure(Double value, DoubleFunction<Quantity> make) {
    return value == null ? "n/a" : make.apply(value).text();
  }
}
