package org.rpx.agent.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.rpx.agent.gate.Gate;

/**
 * One model measured at several settings, each in a process of its own; or a control loop's cycles
 * and stages.
 *
 * @param gates limits on all of it, judged; those on single points are in their reports
 */
public record SweepReport(List<Point> points, List<Gate.Result> gates) {
  /** The version of the JSON shape. */
  public static final String SCHEMA = "rpx-agent-sweep/1";

  public SweepReport {
    points = List.copyOf(points);
    gates = List.copyOf(gates);
  }

  /** One whose points alone were judged, if at all. */
  public SweepReport(List<Point> points) {
    this(points, List.of());
  }

  /** The same, judged as a whole. */
  public SweepReport withGates(List<Gate.Result> judged) {
    return new SweepReport(points, judged);
  }

  /** The same, each report changed. */
  public SweepReport map(UnaryOperator<EfficiencyReport> change) {
    return new SweepReport(
        points.stream()
            .map(
                p ->
                    new Point(
                        p.settings(),
                        p.report() == null ? null : change.apply(p.report()),
                        p.failure()))
            .toList(),
        gates);
  }

  /**
   * One setting.
   *
   * @param settings option and value: threads 4
   * @param report null where there is none
   * @param failure why there is none, in a line; null elsewhere
   */
  public record Point(Map<String, String> settings, EfficiencyReport report, String failure) {
    /**
     * Copies the settings, keeping their order.
     *
     * @throws IllegalArgumentException where there is both a report and a failure, or neither
     */
    public Point {
      settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
      if ((report == null) == (failure == null))
        throw new IllegalArgumentException("a point has a report or the reason why it has none");
    }
  }
}
