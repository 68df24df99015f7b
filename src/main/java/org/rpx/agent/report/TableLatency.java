package org.rpx.agent.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Interval;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.PercentileEstimate;
import org.rpx.agent.measure.Percentiles;
import org.rpx.agent.measure.ProcessSpread;

/** Percentiles with their intervals, and how the runs went. */
final class TableLatency {
  private static final double NS_PER_MS = 1e6;

  private TableLatency() {}

  static void write(Measurement measured, TablePage page) {
    String label = "latency";
    for (PercentileEstimate each :
        Percentiles.of(measured.samples()).at(measured.course().percentiles())) {
      page.cells(label, List.of(cell(each, page)));
      label = "";
    }
    int processes = measured.course().processes().size();
    label = processes + " processes";
    for (double p : measured.course().percentiles()) {
      ProcessSpread spread = measured.course().spread(p);
      if (spread == null) continue;
      String text =
          page.cell(name(p), Quantity.time(spread.center() / NS_PER_MS), "")
              + page.clean(between(spread.between()))
              + String.format(Locale.ROOT, ", range %.1f %%", 100 * spread.range());
      page.cells(label, List.of(text));
      label = "";
    }
  }

  private static String cell(PercentileEstimate estimate, TablePage page) {
    Quantity value = estimate.value() == null ? null : Quantity.time(estimate.value() / NS_PER_MS);
    String why = estimate.needed() + " samples needed";
    return page.cell(name(estimate.p()), value, why) + page.clean(between(estimate.interval()));
  }

  private static String name(double p) {
    return PercentileEstimate.name(p);
  }

  private static String between(Interval interval) {
    if (interval == null) return "";
    return "  (95 %: "
        + Quantity.time(interval.low() / NS_PER_MS).text()
        + " to "
        + Quantity.time(interval.high() / NS_PER_MS).text()
        + ")";
  }

  static List<String> runs(Measurement measured) {
    Course course = measured.course();
    List<String> cells = new ArrayList<>();
    cells.add(measured.warmupRuns() + " to warm up" + ended(course.warmUp()));
    cells.add(
        measured.samples().count()
            + " timed"
            + (course.stoppedBy() == null ? "" : ", ended by " + course.stoppedBy()));
    return cells;
  }

  private static String ended(String warmUp) {
    return warmUp == null || warmUp.equals("asked") ? "" : " (" + warmUp.replace('_', ' ') + ")";
  }
}
