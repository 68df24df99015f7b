package org.rpx.agent.report;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.tier1.ModelProperties;

/**
 * The report as GitHub-flavoured Markdown for a paper or a README: one table row for the model, so
 * that rows of several models stack, one table of GPUs, the machine and the warnings. Figures have
 * four significant digits and their unit; unknown is "n/a".
 */
public final class MarkdownReport {
  private MarkdownReport() {}

  /**
   * Writes the tables; every line ends with a line feed.
   *
   * @param out flushed, not closed
   * @throws IOException if {@code out} fails
   */
  public static void write(EfficiencyReport report, Writer out) throws IOException {
    StringBuilder page = new StringBuilder();
    row(
        page,
        List.of(
            "Model",
            "Params",
            "FLOPs",
            "MACs",
            "Traffic",
            "FLOP/B",
            "p50",
            "p95",
            "p99",
            "Throughput",
            "Peak memory"));
    row(page, List.of("---", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:"));
    row(page, model(report));
    if (!report.tier2().isEmpty()) {
      page.append('\n');
      row(page, List.of("GPU", "Precision", "Compute", "Memory", "Lower bound", "Limited by"));
      row(page, List.of("---", "---", "--:", "--:", "--:", "---"));
      report.tier2().forEach(bound -> row(page, bound(bound)));
    }
    if (report.system() != null) {
      String on = report.tier3() == null ? "Machine: " : "Measured on: ";
      String how = report.tier3() == null ? "" : report.tier3().course().loop().label();
      page.append('\n').append(on).append(escaped(report.system().summary() + how)).append('\n');
    }
    if (!report.warnings().isEmpty()) {
      page.append('\n');
    }
    for (Warning warning : report.warnings()) {
      page.append(item(warning));
    }
    out.write(page.toString());
    out.flush();
  }

  /** Of a list. */
  static String item(Warning warning) {
    return "- **" + warning.code() + "** " + escaped(warning.message()) + "\n";
  }

  /**
   * Writes a sweep as one table, a row a point, and below it what went wrong as a list.
   *
   * @param out flushed, not closed
   * @throws IOException if {@code out} fails
   */
  public static void write(SweepReport sweep, Writer out) throws IOException {
    new SweepTable(sweep).markdown(out);
  }

  /**
   * Writes a comparison as one table, and below it what else differs as a list.
   *
   * @param out flushed, not closed
   * @throws IOException if {@code out} fails
   */
  public static void write(ComparisonReport comparison, Writer out) throws IOException {
    new ComparisonText(comparison).markdown(out);
  }

  private static void row(StringBuilder page, List<String> cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static List<String> model(EfficiencyReport report) {
    List<String> cells = new ArrayList<>();
    cells.add(cell(report.model().path()));
    ModelProperties needs = report.tier1();
    if (needs == null) {
      cells.addAll(List.of("n/a", "n/a", "n/a", "n/a", "n/a"));
    } else {
      String atLeast = needs.flopsComplete() ? "" : "≥ ";
      cells.add(count("", needs.params(), ""));
      cells.add(count(atLeast, needs.flops(), "FLOP"));
      cells.add(count(atLeast, needs.macs(), "MAC"));
      cells.add(count("", needs.traffic().bytes(), "B"));
      cells.add(figure(atLeast, needs.arithmeticIntensity(), ai -> Quantity.count(ai, "")));
    }
    Measurement measured = report.tier3();
    if (measured == null || measured.samples().count() == 0) {
      cells.addAll(List.of("n/a", "n/a", "n/a", "n/a"));
    } else {
      for (double p : new double[] {50, 95, 99}) cells.add(time(measured.percentileMs(p)));
      cells.add(figure("", measured.throughputPerS(), rate -> Quantity.count(rate, "samples/s")));
    }
    cells.add(measured == null || measured.peak() == null ? "n/a" : peak(measured.peak()));
    return cells;
  }

  private static List<String> bound(EfficiencyReport.Bound bound) {
    return List.of(
        cell(bound.gpu()),
        cell(bound.precision()),
        time(bound.computeMs()),
        time(bound.memoryMs()),
        time(bound.latencyMs()),
        cell(bound.bottleneck()));
  }

  /** The device's peak where there was one: the host's says little about a model that ran on it. */
  private static String peak(Measurement.Peak peak) {
    if (peak.cudaMb() != null) {
      return Quantity.mebibytes(peak.cudaMb()).text() + " (CUDA)";
    }
    if (peak.mpsMb() != null) {
      return Quantity.mebibytes(peak.mpsMb()).text() + " (MPS)";
    }
    return peak.cpuRssMb() == null
        ? "n/a"
        : Quantity.mebibytes(peak.cpuRssMb()).text() + " (resident)";
  }

  private static String count(String prefix, Long count, String unit) {
    return count == null ? "n/a" : prefix + Quantity.count(count, unit).text();
  }

  private static String time(Double ms) {
    return figure("", ms, Quantity::time);
  }

  private static String figure(String prefix, Double value, DoubleFunction<Quantity> make) {
    boolean known = value != null && Double.isFinite(value);
    return known ? prefix + make.apply(value).text() : "n/a";
  }

  static String cell(String text) {
    return text == null ? "n/a" : escaped(text).replace("|", "\\|");
  }

  /** {@code text} as it is, whatever of it Markdown or HTML would take for its own. */
  static String escaped(String text) {
    return Ink.printable(text, Integer.MAX_VALUE)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replaceAll("([\\\\`*\\[\\]~])", "\\\\$1")
        .replaceAll("(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", "\\\\_");
  }
}
