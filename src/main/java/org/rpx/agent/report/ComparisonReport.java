package org.rpx.agent.report;

import java.util.List;
import org.rpx.agent.gate.Gate;
import org.rpx.agent.measure.Difference;
import org.rpx.agent.measure.Interval;

/**
 * One measured thing beside others.
 *
 * @param method "live": run by run in random order in one process; "processes": the same with a
 *     process for each side; "saved": from reports
 * @param first what the others are compared with
 */
public record ComparisonReport(
    String method, String first, List<Compared> others, List<Gate.Result> gates) {
  /** The version of the JSON shape. */
  public static final String SCHEMA = "rpx-agent-comparison/1";

  public ComparisonReport {
    others = List.copyOf(others);
    gates = List.copyOf(gates);
  }

  /** The same, judged. */
  public ComparisonReport withGates(List<Gate.Result> judged) {
    return new ComparisonReport(method, first, others, judged);
  }

  /**
   * One of the others.
   *
   * @param unlike what else differs between the two, in words: machine, model, settings
   * @param notes how both were measured, in words, where that has to be known
   * @param warnings what a reader of the figures has to know
   */
  public record Compared(
      String name,
      List<Row> rows,
      List<String> unlike,
      List<String> notes,
      List<Warning> warnings) {
    public Compared {
      rows = List.copyOf(rows);
      unlike = List.copyOf(unlike);
      notes = List.copyOf(notes);
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * A figure of both.
   *
   * @param figure as gates name it: "p50_ms"
   * @param first the first's, in the figure's unit
   * @param second the other's
   * @param interval of {@code second} alone, 95 %; null where it has none
   * @param difference of the other beside the first
   * @param samples pairs, or processes of each side
   */
  public record Row(
      String figure,
      Double first,
      Double second,
      Interval interval,
      Difference difference,
      String samples) {}
}
