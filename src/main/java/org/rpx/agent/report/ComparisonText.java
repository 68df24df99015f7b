package org.rpx.agent.report;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rpx.agent.gate.Gate;
import org.rpx.agent.measure.Difference;
import org.rpx.agent.measure.Interval;

/** A comparison in words, for a terminal; or as a Markdown table. */
final class ComparisonText {
  private final ComparisonReport report;

  ComparisonText(ComparisonReport report) {
    this.report = report;
  }

  void write(Ink ink, Writer out) throws IOException {
    TablePage page = new TablePage(ink);
    for (ComparisonReport.Compared other : report.others()) {
      for (ComparisonReport.Row row : other.rows()) page.paragraph(sentence(other.name(), row));
      for (String unlike : other.unlike()) page.paragraph("  differs: " + unlike);
      for (String note : other.notes()) page.paragraph("  " + note);
      for (Warning warning : other.warnings())
        page.warning("  warning " + warning.code() + ": " + warning.message());
    }
    for (Gate.Result gate : report.gates())
      page.paragraph(
          "gate " + gate.gate().text() + ": " + gate.verdict() + " (" + gate.why() + ")");
    page.write(out);
  }

  /** "p50: b.pt is SLOWER than a.pt: +3.1 % (99 %: +2.8 % to +3.4 %), 5.00 ms to 5.16 ms". */
  private String sentence(String name, ComparisonReport.Row row) {
    Difference difference = row.difference();
    String verdict =
        switch (difference.verdict()) {
          case FASTER, SLOWER -> name + " is " + difference.verdict() + " than " + report.first();
          case SAME -> name + " and " + report.first() + " are the SAME";
          case INCONCLUSIVE -> name + " beside " + report.first() + " is INCONCLUSIVE";
        };
    return row.figure()
        + ": "
        + verdict
        + (difference.share() == null ? "" : ": " + percent(difference.share()))
        + interval(difference)
        + times(row)
        + " ("
        + row.samples()
        + ")"
        + (difference.reason() == null ? "" : "; " + difference.reason());
  }

  private static String interval(Difference difference) {
    Interval interval = difference.interval();
    if (interval == null) return "";
    String kind =
        difference.confidence() == null
            ? "as processes are known to differ: "
            : String.format(Locale.ROOT, "%.0f %%: ", 100 * difference.confidence());
    return " (" + kind + percent(interval.low()) + " to " + percent(interval.high()) + ")";
  }

  private static String times(ComparisonReport.Row row) {
    if (row.first() == null || row.second() == null || !row.figure().endsWith("_ms")) return "";
    return ", " + Quantity.time(row.first()).text() + " to " + Quantity.time(row.second()).text();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%+.2f %%", 100 * share);
  }

  void markdown(Writer out) throws IOException {
    out.write(
        "| Figure | "
            + MarkdownReport.cell(report.first())
            + " | Other | Is | Change | 99 % interval | Verdict |\n");
    out.write("| --- | --: | --- | --: | --: | --: | --- |\n");
    List<String> notes = new ArrayList<>();
    List<Warning> warnings = new ArrayList<>();
    for (ComparisonReport.Compared other : report.others()) {
      for (ComparisonReport.Row row : other.rows()) {
        Difference d = row.difference();
        Interval interval = d.interval();
        List<String> cells =
            List.of(
                row.figure(),
                value(row.figure(), row.first()),
                MarkdownReport.cell(other.name()),
                value(row.figure(), row.second()),
                d.share() == null ? "n/a" : percent(d.share()),
                interval == null
                    ? "n/a"
                    : percent(interval.low()) + " to " + percent(interval.high()),
                d.verdict().name());
        out.write("| " + String.join(" | ", cells) + " |\n");
        if (d.reason() != null) notes.add(other.name() + ", " + row.figure() + ": " + d.reason());
      }
      for (String unlike : other.unlike()) notes.add(other.name() + " differs: " + unlike);
      notes.addAll(other.notes());
      warnings.addAll(other.warnings());
    }
    if (!notes.isEmpty() || !warnings.isEmpty()) out.write("\n");
    for (String note : notes) out.write("- " + MarkdownReport.escaped(note) + "\n");
    for (Warning warning : warnings) out.write(MarkdownReport.item(warning));
    out.flush();
  }

  private static String value(String figure, Double value) {
    if (value == null) return "n/a";
    return figure.endsWith("_ms") ? Quantity.time(value).text() : JsonStyle.plain(value);
  }
}
