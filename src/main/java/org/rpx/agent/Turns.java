package org.rpx.agent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.host.MachineFlag;
import org.rpx.agent.host.Telemetry;
import org.rpx.agent.host.TelemetrySummary;
import org.rpx.agent.measure.Comparison;
import org.rpx.agent.measure.Difference;
import org.rpx.agent.measure.Interval;
import org.rpx.agent.measure.Pace;
import org.rpx.agent.measure.PairedRuns;
import org.rpx.agent.measure.PercentileEstimate;
import org.rpx.agent.measure.Percentiles;
import org.rpx.agent.measure.ProcessSpread;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.measure.Statistics;
import org.rpx.agent.measure.Verdict;
import org.rpx.agent.measure.Workload;
import org.rpx.agent.report.ComparisonReport.Row;
import org.rpx.agent.report.Warning;

/**
 * Two workloads that are warm, measured in turns as a plan asks for, and what is reported of it.
 */
final class Turns {
  private static final Duration DURATION = Duration.ofSeconds(10);
  private static final int MOST_PAIRS = 100_000;
  private static final double NS_PER_MS = 1e6;

  private final Plan plan;
  private final Interludes interludes;

  Turns(Plan plan) {
    this.plan = plan;
    interludes = Interludes.of(plan);
  }

  /**
   * What happens between a session's runs does so from here on; its first set of inputs is next.
   */
  void begin(NativeSession session) {
    interludes.begin(session);
  }

  /**
   * Turns, and what the machine did meanwhile.
   *
   * @param threads the most that compute at once
   * @param watch starts to watch the machine
   */
  Outcome run(
      Workload one,
      Workload other,
      int threads,
      Supplier<Telemetry> watch,
      BooleanSupplier cancelled) {
    Telemetry telemetry = watch.get();
    PairedRuns pairs;
    TelemetrySummary seen;
    try {
      pairs = pairs(one, other, cancelled);
    } finally {
      seen = telemetry.stop();
    }
    List<Warning> warnings =
        seen.flags(threads).stream()
            // Java's memory is tidied up between turns, for which it is asked there.
            .filter(flag -> flag.code() != MachineFlag.Code.GC_DURING_RUN)
            .map(Warning::of)
            .toList();
    return new Outcome(pairs, warnings);
  }

  /** What turns came to. */
  record Outcome(PairedRuns pairs, List<Warning> warnings) {}

  private PairedRuns pairs(Workload one, Workload other, BooleanSupplier cancelled) {
    boolean sparse = interludes.periodNs() > 0 || interludes.flushedBytes() != null;
    return PairedRuns.run(
        one,
        other,
        new PairedRuns.Rule(
            plan.iterations() == null ? MOST_PAIRS : plan.iterations(),
            plan.duration() == null ? DURATION : plan.duration(),
            plan.precisionTarget(),
            plan.inputSets().size(),
            sparse,
            interludes.periodNs(),
            plan.seed()),
        cancelled);
  }

  /**
   * The median by pairs, and the plan's other percentiles by all runs.
   *
   * @param of behind the number of pairs or runs
   */
  List<Row> rows(PairedRuns pairs, double margin, String of) {
    int n = pairs.firstNs().length;
    List<Row> rows = new ArrayList<>();
    rows.add(
        new Row(
            "p50_ms",
            Statistics.of(pairs.firstNs()).median() / NS_PER_MS,
            Statistics.of(pairs.secondNs()).median() / NS_PER_MS,
            milliseconds(median(pairs.secondNs()).interval()),
            pairs.difference(margin),
            n + (n == 1 ? " pair" : " pairs") + of));
    String runs = pairs.firstRuns().count() + " and " + pairs.secondRuns().count() + " runs" + of;
    for (double p : others()) {
      PercentileEstimate first = Percentiles.of(pairs.firstRuns()).at(p);
      PercentileEstimate second = Percentiles.of(pairs.secondRuns()).at(p);
      rows.add(
          new Row(
              PercentileEstimate.name(p) + "_ms",
              milliseconds(first.value()),
              milliseconds(second.value()),
              milliseconds(second.interval()),
              pairs.difference(p, margin),
              runs));
    }
    return rows;
  }

  /** The same of pairs of processes, each of which is one sample. */
  List<Row> rowsOfProcesses(List<PairedRuns> pairs, double margin) {
    int turns = pairs.stream().mapToInt(p -> p.firstNs().length).sum();
    String of = " pairs of " + pairs.size() + " pairs of processes";
    List<Row> rows = new ArrayList<>();
    rows.add(
        row(
            50,
            pairs.stream().map(p -> median(p.firstNs())).toList(),
            pairs.stream().map(p -> median(p.secondNs())).toList(),
            margin,
            turns + of));
    for (double p : others())
      rows.add(
          row(
              p,
              pairs.stream().map(each -> Percentiles.of(each.firstRuns()).at(p)).toList(),
              pairs.stream().map(each -> Percentiles.of(each.secondRuns()).at(p)).toList(),
              margin,
              turns + of));
    return rows;
  }

  private static Row row(
      double p,
      List<PercentileEstimate> first,
      List<PercentileEstimate> second,
      double margin,
      String samples) {
    String figure = PercentileEstimate.name(p) + "_ms";
    for (List<PercentileEstimate> side : List.of(first, second))
      for (PercentileEstimate each : side)
        if (each.value() == null)
          return new Row(
              figure,
              null,
              null,
              null,
              new Difference(null, null, null, Verdict.INCONCLUSIVE, each.reason()),
              samples);
    ProcessSpread ours = ProcessSpread.of(first);
    ProcessSpread its = ProcessSpread.of(second);
    return new Row(
        figure,
        milliseconds(ours.center()),
        milliseconds(its.center()),
        milliseconds(its.between()),
        Comparison.processPairs(values(first), values(second), margin),
        samples);
  }

  private static double[] values(List<PercentileEstimate> processes) {
    return processes.stream().mapToDouble(PercentileEstimate::value).toArray();
  }

  /** The percentiles beside the median. */
  private List<Double> others() {
    return plan.percentiles().stream().filter(p -> p != 50).sorted().distinct().toList();
  }

  /** What was so around the runs. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (interludes.flushedBytes() != null)
      notes.add(
          "cold caches: "
              + (interludes.flushedBytes() >> 20)
              + " MiB were written over before each run"
              + (interludes.guessed() ? ", a guess: this machine does not tell their size" : ""));
    if (interludes.periodNs() != 0)
      notes.add(
          "paced at " + Pace.rate(plan.rate()) + ": times are from each release, after a pause");
    return notes;
  }

  /** What spoils the figures: that a side did not keep up with the schedule, and the machine. */
  List<Warning> warnings(Outcome outcome, String first, String second) {
    List<Warning> warnings = new ArrayList<>();
    overload(first, outcome.pairs().firstNs(), warnings);
    overload(second, outcome.pairs().secondNs(), warnings);
    warnings.addAll(outcome.warnings());
    return warnings;
  }

  private void overload(String name, double[] ns, List<Warning> warnings) {
    double median = Statistics.of(ns).median();
    if (interludes.periodNs() == 0 || median <= interludes.periodNs()) return;
    String message =
        String.format(
            Locale.ROOT,
            "%s does not keep up with %s: a median of %.3f ms, a period of %.3f ms",
            name,
            Pace.rate(plan.rate()),
            median / NS_PER_MS,
            interludes.periodNs() / NS_PER_MS);
    warnings.add(new Warning(Warning.Code.OVERLOADED, message));
  }

  /** Of the medians of turns. */
  private static PercentileEstimate median(double[] ns) {
    long[] rounded = new long[ns.length];
    for (int i = 0; i < ns.length; i++) rounded[i] = Math.round(ns[i]);
    return Percentiles.of(Samples.owning(new long[ns.length], rounded)).at(50);
  }

  private static Double milliseconds(Double ns) {
    return ns == null ? null : ns / NS_PER_MS;
  }

  private static Interval milliseconds(Interval ns) {
    return ns == null ? null : new Interval(ns.low() / NS_PER_MS, ns.high() / NS_PER_MS);
  }
}
