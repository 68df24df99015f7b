package org.rpx.agent.report;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import org.rpx.agent.gate.Gate;
import org.rpx.agent.host.SystemCard;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Statistics;
import org.rpx.agent.tier1.ModelProperties;

/**
 * Reports as a person reads them in a terminal, at most 100 columns wide. Figures have four
 * significant digits; "n/a" says why. MB are 10<sup>6</sup> bytes, MiB 2<sup>20</sup>.
 */
public final class TableReport {
  private static final int MOST_INPUTS = 8;
  private static final int GPU_NAME = 23;
  private static final int PRECISION = 9;
  private static final int TIME = 10;
  private static final int LAST = 14;
  private static final double NS_PER_MS = 1e6;

  private final Ink ink;

  /**
   * A writer for one kind of terminal.
   *
   * @param colour whether to use ANSI colours
   * @param unicode whether it shows more than ASCII
   */
  public TableReport(boolean colour, boolean unicode) {
    this.ink = new Ink(colour, unicode);
  }

  /**
   * Writes the summary; every line ends with a line feed.
   *
   * @param out flushed, not closed
   * @throws IOException if {@code out} fails
   */
  public void write(EfficiencyReport report, Writer out) throws IOException {
    TablePage page = new TablePage(ink);
    heading(report, page);
    new TableTier1(page).write(report);
    tier2(report, page);
    tier3(report.tier3(), page);
    system(report.system(), page);
    if (!report.warnings().isEmpty()) {
      page.line("");
    }
    for (Warning warning : report.warnings()) {
      page.warning("warning " + warning.code() + ": " + warning.message());
    }
    if (!report.gates().isEmpty()) page.line("");
    for (Gate.Result gate : report.gates())
      page.paragraph(
          "gate " + gate.gate().text() + ": " + gate.verdict() + " (" + gate.why() + ")");
    page.write(out);
  }

  /**
   * Writes a sweep, a row a point, and below it what went wrong. Columns are as wide as they need.
   *
   * @param out flushed, not closed
   * @throws IOException if {@code out} fails
   */
  public void write(SweepReport sweep, Writer out) throws IOException {
    new SweepTable(sweep).write(ink, out);
  }

  /**
   * Writes a comparison as sentences.
   *
   * @param out flushed, not closed
   * @throws IOException if {@code out} fails
   */
  public void write(ComparisonReport comparison, Writer out) throws IOException {
    new ComparisonText(comparison).write(ink, out);
  }

  private void heading(EfficiencyReport report, TablePage page) {
    EfficiencyReport.Model model = report.model();
    String size = model.bytes() == null ? "no file" : Quantity.bytes(model.bytes()).text();
    String kind = "  " + ink.clean(model.format() + ", " + size);
    String path = ink.fit(ink.clean(model.path()), TablePage.WIDTH - Ink.width(kind));
    page.line(ink.bold(path) + kind);
    for (EfficiencyReport.Input input : report.inputs().stream().limit(MOST_INPUTS).toList()) {
      String text = "input " + input.name() + ": " + input.dtype() + " " + input.shape();
      if (input.values() != null) text += ", " + input.values();
      String indent = "  ";
      for (String line : Ink.wrap(ink.clean(text), TablePage.WIDTH - 4)) {
        page.line(indent + line);
        indent = "    ";
      }
    }
    int left = report.inputs().size() - MOST_INPUTS;
    if (left > 0) {
      page.line("  and " + left + (left == 1 ? " more input" : " more inputs"));
    }
  }

  private void tier2(EfficiencyReport report, TablePage page) {
    page.title("Tier 2", "the least time that it can take on a GPU (roofline)");
    if (report.tier2().isEmpty()) {
      String why = report.tier1() == null ? "tier 1 is not known" : "no GPU was asked for";
      page.line("  n/a (" + why + ")");
      return;
    }
    bound(
        page, "GPU", "precision", List.of("compute", "memory", "bound", "op by op"), "limited by");
    for (EfficiencyReport.Bound bound : report.tier2()) {
      List<String> times = new ArrayList<>();
      for (Double ms :
          new Double[] {bound.computeMs(), bound.memoryMs(), bound.latencyMs(), bound.opByOpMs()}) {
        times.add(page.column(quantity(ms, Quantity::time), TIME));
      }
      String last = bound.bottleneck() != null ? bound.bottleneck() : whyNot(report, bound);
      bound(page, bound.gpu(), String.valueOf(bound.precision()), times, last);
    }
    report.tier2().stream()
        .filter(bound -> bound.shareByOp() != null && !bound.shareByOp().isEmpty())
        .findFirst()
        .ifPresent(
            bound ->
                page.text("op by op", TableTier1.shares(bound.shareByOp()) + " on " + bound.gpu()));
  }

  private void bound(
      TablePage page, String gpu, String precision, List<String> times, String last) {
    StringBuilder line = new StringBuilder("  ");
    line.append(Ink.left(ink.fit(ink.clean(gpu), GPU_NAME), GPU_NAME)).append("  ");
    line.append(Ink.left(ink.fit(ink.clean(precision), PRECISION), PRECISION)).append("  ");
    times.forEach(time -> line.append(Ink.right(time, TIME)).append("  "));
    page.line(line + ink.fit(ink.clean(last), LAST));
  }

  private static String whyNot(EfficiencyReport report, EfficiencyReport.Bound bound) {
    ModelProperties needs = report.tier1();
    if (needs == null || needs.flops() == null) {
      return "no FLOPs";
    }
    return needs.traffic().bytes() == null ? "no traffic" : "no " + bound.precision() + " peak";
  }

  private void tier3(Measurement measured, TablePage page) {
    if (measured == null) {
      page.title("Tier 3", "n/a (nothing was timed)");
      return;
    }
    String device = ink.fit(measured.device(), 40);
    page.title(
        "Tier 3",
        "measured on "
            + device
            + ", batch "
            + measured.batch()
            + ink.clean(measured.course().loop().label()));
    int timed = measured.samples().count();
    if (timed == 0) {
      page.text("latency", "n/a (no timed run)");
    } else {
      Statistics ns = measured.statistics();
      TableLatency.write(measured, page);
      page.cells(
          "",
          List.of(
              latency(page, "mean", ns.mean()),
              latency(page, "min", ns.min()),
              latency(page, "max", ns.max())));
    }
    if (measured.deviceTimes() != null) new TableDevice(page).times(measured);
    new TablePaced(page).write(measured);
    Quantity throughput =
        quantity(measured.throughputPerS(), rate -> Quantity.count(rate, "samples/s"));
    page.cells("throughput", List.of(page.cell("", throughput, "no time passed")));
    page.cells(
        "start",
        List.of(
            page.cell("load", quantity(measured.loadMs(), Quantity::time), "not timed"),
            page.cell("first run", quantity(measured.firstRunMs(), Quantity::time), "not timed")));
    page.cells("runs", TableLatency.runs(measured));
    peak(measured, page);
    threads(measured.threads(), page);
  }

  private static String latency(TablePage page, String name, double ns) {
    return page.cell(name, Quantity.time(ns / NS_PER_MS), "");
  }

  private static void peak(Measurement measured, TablePage page) {
    Measurement.Peak peak = measured.peak();
    if (peak == null) {
      page.text("peak memory", "n/a (not measured)");
      return;
    }
    List<String> cells = new ArrayList<>();
    cells.add(peak(page, "resident", peak.cpuRssMb()));
    cells.add(peak(page, "CPU tensors", peak.cpuTensorMb()));
    // A backend that the model did not run on has no peak to miss.
    if (peak.cudaMb() != null || measured.device().startsWith("cuda")) {
      cells.add(peak(page, "CUDA", peak.cudaMb()));
    }
    if (peak.mpsMb() != null || measured.device().startsWith("mps")) {
      cells.add(peak(page, "MPS", peak.mpsMb()));
    }
    page.cells("peak memory", cells);
    Measurement.HostMemory host = peak.host();
    if (host == null) return;
    List<String> beside = new ArrayList<>();
    if (host.weightsMb() != null)
      beside.add(peak(page, "tensors and weights", peak.cpuTensorWithWeightsMb()));
    if (host.livenessMb() != null)
      beside.add(peak(page, "activations at least", host.livenessMb()));
    // Why nobody looked is for the JSON report: a short run is nothing to warn of.
    if (host.jvmHeapMb() != null) beside.add(peak(page, "Java heap", host.jvmHeapMb()));
    if (!beside.isEmpty()) page.cells("", beside);
    if (peak.device() != null) new TableDevice(page).memory(peak.device());
  }

  private static String peak(TablePage page, String name, Double mib) {
    return page.cell(name, quantity(mib, Quantity::mebibytes), "not measured");
  }

  private static void threads(Measurement.Threads threads, TablePage page) {
    if (threads == null) {
      page.text("threads", "n/a (not known)");
      return;
    }
    page.cells(
        "threads",
        List.of(
            threads.operators() + " for operators",
            threads.blas() == 0 ? "the BLAS too" : threads.blas() + " for BLAS"));
    String tried =
        threads.medianMsBySetup().entrySet().stream()
            .filter(setup -> setup.getValue() != null)
            .map(setup -> setup.getKey() + " " + Quantity.time(setup.getValue()).text())
            .collect(Collectors.joining(", "));
    if (!tried.isEmpty()) {
      page.text("tried", tried);
    }
  }

  private static void system(SystemCard card, TablePage page) {
    page.line("");
    if (card == null) {
      page.text("system", "n/a (not asked for)");
      return;
    }
    page.text("system", card.summary());
    List<String> parts = new ArrayList<>();
    Object online = card.more().get("cores_online");
    Object allowed = card.more().get("cores_allowed");
    parts.add(online == null ? "cores n/a (not known)" : online + " cores");
    if (allowed != null && !allowed.equals(online)) {
      parts.add(allowed + " allowed");
    }
    if (card.ramGb() != null) {
      parts.add(JsonStyle.plain(card.ramGb()) + " GiB memory");
    }
    if (card.os() != null && !card.os().isEmpty()) {
      parts.add(card.os());
    }
    page.text("", String.join(", ", parts));
  }

  private static Quantity quantity(Double value, DoubleFunction<Quantity> make) {
    return value == null || !Double.isFinite(value) ? null : make.apply(value);
  }
}
