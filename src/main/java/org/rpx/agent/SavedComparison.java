package org.rpx.agent;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.rpx.agent.gate.Figure;
import org.rpx.agent.host.Load;
import org.rpx.agent.measure.Comparison;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Difference;
import org.rpx.agent.measure.Interval;
import org.rpx.agent.measure.Loop;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.PercentileEstimate;
import org.rpx.agent.measure.Percentiles;
import org.rpx.agent.measure.ProcessSpread;
import org.rpx.agent.measure.Verdict;
import org.rpx.agent.report.ComparisonReport.Compared;
import org.rpx.agent.report.ComparisonReport.Row;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;

/** Two saved reports side by side. One process is one sample of each. */
final class SavedComparison {
  /** By how much the median of one program differs from process to process, where nobody knows. */
  static final double KNOWN_SPREAD = 0.3;

  // What makes it another machine. The rest may differ, and is said.
  private static final List<String> MACHINE =
      List.of("cpu_name", "gpu_name", "gpu_count", "ram_gb", "cores_online", "board");

  // Of the machine and of the runs: all else is in the reports.
  private static final Set<Warning.Code> SPOILING =
      EnumSet.of(
          Warning.Code.OVERSUBSCRIBED,
          Warning.Code.CLOCK_DRIFT,
          Warning.Code.THROTTLED,
          Warning.Code.SWAPPING,
          Warning.Code.GOVERNOR,
          Warning.Code.TREND,
          Warning.Code.UNSTABLE,
          Warning.Code.OVERLOADED);

  private SavedComparison() {}

  /**
   * Compares.
   *
   * @param margin what counts as the same, as a share
   * @param force whether to compare measurements of different machines too
   * @throws IllegalArgumentException where the machines differ, or nothing was timed in one
   */
  static Compared of(
      String name,
      EfficiencyReport first,
      String otherName,
      EfficiencyReport other,
      double margin,
      boolean force) {
    timed(name, first);
    timed(otherName, other);
    Map<String, String> unlike = unlike(first, other);
    List<String> machine = MACHINE.stream().filter(unlike::containsKey).map(unlike::get).toList();
    if (!machine.isEmpty() && !force)
      throw new IllegalArgumentException(
          name
              + " and "
              + otherName
              + " are of different machines: "
              + String.join("; ", machine)
              + "; --force compares them all the same");
    List<Row> rows = new ArrayList<>();
    Set<Double> asked = new TreeSet<>(first.tier3().course().percentiles());
    asked.retainAll(other.tier3().course().percentiles());
    asked.addAll(Course.PERCENTILES);
    for (double p : asked) rows.add(row(p, name, first, otherName, other, margin));
    List<Warning> warnings = new ArrayList<>();
    spoilt(name, first, warnings);
    spoilt(otherName, other, warnings);
    return new Compared(otherName, rows, List.copyOf(unlike.values()), List.of(), warnings);
  }

  /** What a report says that its times suffer from. */
  private static void spoilt(String name, EfficiencyReport report, List<Warning> warnings) {
    for (Warning warning : report.warnings())
      if (SPOILING.contains(warning.code()))
        warnings.add(new Warning(warning.code(), name + ": " + warning.message()));
  }

  private static void timed(String name, EfficiencyReport report) {
    if (report.tier3() == null || report.tier3().samples().count() == 0)
      throw new IllegalArgumentException(
          name + " holds no measurement: write one with rpx-agent measure --json");
  }

  private static Row row(
      double p,
      String name,
      EfficiencyReport firstReport,
      String otherName,
      EfficiencyReport otherReport,
      double margin) {
    Measurement first = firstReport.tier3();
    Measurement other = otherReport.tier3();
    double[] a = processes(p, first);
    double[] b = processes(p, other);
    String samples =
        a.length + " and " + b.length + (a.length + b.length > 2 ? " processes" : " process");
    String key = PercentileEstimate.name(p) + "_ms";
    Figure ofOther = otherReport.figures().get(key);
    Interval interval = ofOther.low() == null ? null : new Interval(ofOther.low(), ofOther.high());
    if (a.length == 0 || b.length == 0)
      return new Row(
          key,
          first.percentileMs(p),
          other.percentileMs(p),
          interval,
          new Difference(null, null, null, Verdict.INCONCLUSIVE, "too few samples"),
          samples);
    Difference difference = Comparison.processes(a, b, spread(p, first, other), margin);
    if (difference.verdict() == Verdict.SLOWER && contended(otherReport))
      difference = difference.inconclusive(beside(otherName));
    if (difference.verdict() == Verdict.FASTER && contended(firstReport))
      difference = difference.inconclusive(beside(name));
    return new Row(key, center(a), center(b), interval, difference, samples);
  }

  /** Whether others took cores; threads of its own that are too many are the program's doing. */
  private static boolean contended(EfficiencyReport report) {
    Map<String, Object> seen = report.tier3().telemetry();
    if (seen == null)
      return report.warnings().stream().anyMatch(w -> w.code() == Warning.Code.OVERSUBSCRIBED);
    double others = number(seen, "load", "others_cores") + number(seen, "load", "steal_cores");
    double cores = number(seen, "cpu", "cores_available");
    return cores > 0 && others > Load.CONTENDED_SHARE * cores;
  }

  private static double number(Map<String, Object> telemetry, String part, String key) {
    return telemetry.get(part) instanceof Map<?, ?> facts && facts.get(key) instanceof Number found
        ? found.doubleValue()
        : 0;
  }

  /** The slower side shared the machine: nobody can tell the load's part from the program's. */
  private static String beside(String name) {
    return name
        + " was measured beside other load, which may be all of it: measure it again on a quiet"
        + " machine, or compare the models live";
  }

  private static double center(double[] ns) {
    double logs = 0;
    for (double each : ns) logs += Math.log(each);
    return Math.exp(logs / ns.length) / 1e6;
  }

  /** The spread that one side shows between its processes, or the one to reckon with. */
  private static double spread(double p, Measurement first, Measurement other) {
    double spread = 0;
    for (Measurement each : new Measurement[] {first, other}) {
      ProcessSpread known = each.course().spread(p);
      if (known != null) spread = Math.max(spread, known.range());
    }
    return spread > 0 ? spread : KNOWN_SPREAD;
  }

  /** The percentile of each process in ns; none where one does not know it. */
  private static double[] processes(double p, Measurement measured) {
    List<List<PercentileEstimate>> all = measured.course().processes();
    List<Double> values = new ArrayList<>();
    if (all.isEmpty()) values.add(Percentiles.of(measured.samples()).at(p).value());
    for (List<PercentileEstimate> process : all)
      process.stream().filter(e -> e.p() == p).forEach(e -> values.add(e.value()));
    boolean known =
        values.stream().allMatch(v -> v != null && v > 0) && values.size() >= all.size();
    return known ? values.stream().mapToDouble(Double::doubleValue).toArray() : new double[0];
  }

  private static Map<String, String> unlike(EfficiencyReport first, EfficiencyReport other) {
    Map<String, String> unlike = new LinkedHashMap<>();
    Map<String, Object> a = described(first);
    Map<String, Object> b = described(other);
    for (String key : a.keySet()) differ(unlike, key, a.get(key), b.get(key));
    for (String key : b.keySet()) if (!a.containsKey(key)) differ(unlike, key, null, b.get(key));
    return unlike;
  }

  private static void differ(Map<String, String> unlike, String key, Object a, Object b) {
    if (!Objects.equals(a, b)) unlike.put(key, key + " " + shown(a) + " and " + shown(b));
  }

  private static String shown(Object value) {
    return value == null || value.equals("") ? "none" : value.toString();
  }

  /** What is fixed of a measurement; what moves by itself (load, free memory) is left out. */
  private static Map<String, Object> described(EfficiencyReport report) {
    Map<String, Object> all = new LinkedHashMap<>();
    if (report.system() != null) {
      Map<String, Object> card = report.system().toFullMap();
      for (String key :
          List.of(
              "cpu_name",
              "gpu_name",
              "gpu_count",
              "ram_gb",
              "cores_online",
              "board",
              "cores_available",
              "container_limits",
              "os",
              "driver_version",
              "pytorch_version",
              "governor",
              "power_mode",
              "precision",
              "batch_size",
              "environment")) all.put(key, card.get(key));
    }
    all.put("model", report.model().sha256());
    all.put("inputs", report.inputs().stream().map(i -> i.dtype() + i.shape()).toList().toString());
    all.put("flops", report.tier1() == null ? null : report.tier1().flops());
    all.put("params", report.tier1() == null ? null : report.tier1().params());
    all.put("device", report.tier3().device());
    Measurement.Threads threads = report.tier3().threads();
    Loop loop = report.tier3().course().loop();
    all.put("rate", loop.pace() == null ? null : loop.pace().rate());
    all.put("cold_cache", loop.flushedBytes() == null ? null : "flushed");
    all.put("cpus", loop.cpus());
    all.put("input_sets", loop.inputSets());
    all.put("threads", threads == null ? null : threads.operators() + "x" + threads.blas());
    return all;
  }
}
