package org.rpx.agent.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Pace;
import org.rpx.agent.measure.PacedRuns;
import org.rpx.agent.measure.Statistics;

/** How paced runs kept their schedule, and whether the model keeps up with control loops. */
final class TablePaced {
  private static final double NS_PER_MS = 1e6;

  private final TablePage page;

  TablePaced(TablePage page) {
    this.page = page;
  }

  void write(Measurement measured) {
    PacedRuns runs = measured.paced();
    if (runs != null) paced(measured.course().loop().pace(), runs);
    if (!measured.realTime().isEmpty())
      page.cells(
          "real time",
          measured.realTime().stream()
              .map(
                  v ->
                      Pace.rate(v.hz())
                          + (v.realTime() ? " yes" : " no")
                          + String.format(Locale.ROOT, " (beta %.3f)", v.beta()))
              .collect(Collectors.toList()));
  }

  private void paced(Pace pace, PacedRuns runs) {
    page.cells(
        "deadlines",
        List.of(
            runs.deadlineMisses() + " of " + runs.count() + " missed",
            "at most " + runs.longestRunOfMisses() + " in a row",
            "period " + time(pace.periodNs())));
    Statistics service = runs.services().statistics();
    Quantity capacity = runs.capacityHz() == null ? null : Quantity.count(runs.capacityHz(), "Hz");
    page.cells(
        "service",
        List.of(
            "p50 " + time(service.median()),
            "max " + time(service.max()),
            page.cell("at most", capacity, "no time passed")));
    Statistics jitter = runs.releaseJitter();
    String none = "n/a (no run found the one before it done)";
    page.cells(
        "release jitter",
        jitter == null
            ? List.of(none)
            : List.of("p50 " + time(jitter.median()), "max " + time(jitter.max())));
    Double straight = pace.backToBackNs();
    Double idle = straight == null ? null : runs.afterIdleCostNs(straight);
    page.text(
        "after idle",
        straight == null
            ? "n/a (nothing ran back to back)"
            : idle == null
                ? none
                : (idle < 0 ? "-" : "+")
                    + time(Math.abs(idle))
                    + " beside p50 "
                    + time(straight)
                    + " back to back");
  }

  private static String time(double ns) {
    return Quantity.time(ns / NS_PER_MS).text();
  }
}
