package org.rpx.agent;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.rpx.agent.gate.Figure;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.monitor.BlackBoxFile;
import org.rpx.agent.monitor.Cycle;
import org.rpx.agent.report.EfficiencyMetadata;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.SweepReport;
import org.rpx.agent.report.Warning;

/** A control loop's black box as a measurement: of whole cycles, and of each stage. */
final class Replay {
  /** The point of whole cycles; a stage is named as its loop names it. */
  static final String WHOLE = "whole cycle";

  private Replay() {}

  /** A report each for whole cycles and for the stages. */
  static SweepReport of(BlackBoxFile box) {
    List<SweepReport.Point> points = new ArrayList<>();
    points.add(point(box, WHOLE, Cycle::durationNanos));
    for (int i = 0; i < box.stages().size(); i++) {
      int stage = i;
      points.add(point(box, box.stages().get(i), c -> c.stageNanos(stage)));
    }
    return new SweepReport(points);
  }

  /**
   * The figures that a gate may name: those of a report for whole cycles, "STAGE.p99_ms" and so on
   * for a stage, and deadline_misses, longest_miss_run and skipped since the loop's start.
   */
  static Map<String, Figure> figures(BlackBoxFile box, SweepReport replayed) {
    Map<String, Figure> figures = new LinkedHashMap<>();
    for (SweepReport.Point point : replayed.points()) {
      String name = point.settings().get("stage");
      if (point.report() == null) continue;
      point
          .report()
          .figures()
          .forEach((key, f) -> figures.put(name.equals(WHOLE) ? key : name + "." + key, f));
    }
    String none = "the black box holds no whole cycle";
    Cycle last = box.cycles().isEmpty() ? null : box.cycles().get(box.cycles().size() - 1);
    String noDeadline = box.deadlineNanos() == null ? "the loop has no deadline" : none;
    boolean judged = last != null && box.deadlineNanos() != null;
    figures.put(
        "deadline_misses", judged ? Figure.exact(last.misses()) : Figure.unsure(null, noDeadline));
    figures.put(
        "longest_miss_run",
        judged
            ? Figure.exact(box.cycles().stream().mapToLong(Cycle::missRun).max().orElse(0))
            : Figure.unsure(null, noDeadline));
    figures.put("skipped", last == null ? Figure.unsure(null, none) : Figure.exact(last.skipped()));
    return figures;
  }

  private static SweepReport.Point point(
      BlackBoxFile box, String name, Function<Cycle, Long> duration) {
    Map<String, String> settings = Map.of("stage", name);
    List<Cycle> marked = box.cycles().stream().filter(c -> duration.apply(c) != null).toList();
    if (marked.isEmpty())
      return new SweepReport.Point(settings, null, "no cycle in the black box has it");
    long[] starts = new long[marked.size()];
    long[] durations = new long[marked.size()];
    for (int i = 0; i < starts.length; i++) {
      Long begin = marked.get(i).beginNanos();
      Long first = marked.get(0).beginNanos();
      starts[i] = begin == null || first == null ? 0 : Math.max(0, begin - first);
      durations[i] = duration.apply(marked.get(i));
    }
    Measurement measured =
        new Measurement(
            "control loop",
            null,
            null,
            0,
            new Samples(starts, durations, starts.length),
            1,
            null,
            null,
            new Course(null, null, null, Course.PERCENTILES));
    List<Warning> warnings = new ArrayList<>();
    warnings.add(
        new Warning(
            Warning.Code.UNAVAILABLE, Warning.NO_TIER1 + "a black box holds times, and no model"));
    warnings.addAll(Flags.of(measured));
    EfficiencyReport report =
        new EfficiencyReport(
            new EfficiencyReport.Model(box.path().toString(), "black box", null, null),
            List.of(),
            row(measured),
            null,
            List.of(),
            measured,
            null,
            warnings);
    return new SweepReport.Point(settings, report, null);
  }

  private static EfficiencyMetadata row(Measurement measured) {
    return EfficiencyMetadata.builder()
        .latencies(measured.percentileMs(50), measured.percentileMs(95), measured.percentileMs(99))
        .build();
  }
}
