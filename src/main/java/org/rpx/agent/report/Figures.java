package org.rpx.agent.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.rpx.agent.gate.Figure;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.PacedRuns;
import org.rpx.agent.measure.PercentileEstimate;
import org.rpx.agent.measure.Percentiles;
import org.rpx.agent.measure.ProcessSpread;
import org.rpx.agent.tier1.ModelProperties;

/** The figures of a report that a gate may name, in the units of its keys. */
final class Figures {
  private static final double NS_PER_MS = 1e6;

  private final Map<String, Figure> all = new LinkedHashMap<>();

  private Figures() {}

  /** By key. What the report does not know is there too, with the reason. */
  static Map<String, Figure> of(EfficiencyReport report) {
    Figures figures = new Figures();
    figures.counts(report.tier1());
    figures.times(report.tier3());
    return figures.all;
  }

  private void counts(ModelProperties tier1) {
    String none = "the report has no tier 1";
    boolean known = tier1 != null;
    exact("params", known ? tier1.params() : null, none);
    exact("trainable_params", known ? tier1.trainableParams() : null, none);
    exact("buffers", known ? tier1.buffers() : null, none);
    String least =
        known ? "the count is a lower bound: some ops have no rule, --flop-rule gives one" : none;
    bounded("flops", known ? tier1.flops() : null, known && tier1.flopsComplete(), least);
    bounded("macs", known ? tier1.macs() : null, known && tier1.flopsComplete(), least);
    exact("traffic_bytes", known ? tier1.traffic().bytes() : null, "the traffic is not known");
    exact(
        "liveness_peak_bytes",
        known ? tier1.activations().livenessPeakBytes() : null,
        "the activation memory is not known");
  }

  private void times(Measurement tier3) {
    boolean measured = tier3 != null && tier3.samples().count() > 0;
    String none = "nothing was timed";
    if (measured) {
      Percentiles percentiles = Percentiles.of(tier3.samples());
      Set<Double> each = new TreeSet<>(List.of(50.0, 90.0, 95.0, 99.0));
      each.addAll(tier3.course().percentiles());
      for (double p : each) {
        ProcessSpread spread = tier3.course().spread(p);
        all.put(
            PercentileEstimate.name(p) + "_ms",
            spread == null ? percentile(percentiles.at(p)) : between(spread));
      }
      exact("min_ms", tier3.statistics().min() / NS_PER_MS, none);
      exact("max_ms", tier3.statistics().max() / NS_PER_MS, none);
    } else {
      for (String key : new String[] {"p50", "p90", "p95", "p99", "min", "max"})
        exact(key + "_ms", null, none);
    }
    exact("load_ms", measured ? tier3.loadMs() : null, none);
    exact("first_run_ms", measured ? tier3.firstRunMs() : null, none);
    PacedRuns paced = measured ? tier3.paced() : null;
    exact(
        "deadline_misses",
        paced == null ? null : paced.deadlineMisses(),
        measured ? "deadlines are those of --rate" : none);
    Measurement.Peak peak = measured ? tier3.peak() : null;
    String nothing = "this peak is not known here";
    exact("cpu_rss_mb", peak == null ? null : peak.cpuRssMb(), nothing);
    exact("cpu_tensor_mb", peak == null ? null : peak.cpuTensorMb(), nothing);
    exact("cuda_mb", peak == null ? null : peak.cudaMb(), nothing);
    exact("mps_mb", peak == null ? null : peak.mpsMb(), nothing);
  }

  /** What other processes may come to says more than how well one knows itself. */
  private static Figure between(ProcessSpread spread) {
    return Figure.estimate(
        spread.center() / NS_PER_MS,
        spread.between().low() / NS_PER_MS,
        spread.between().high() / NS_PER_MS);
  }

  private static Figure percentile(PercentileEstimate estimate) {
    if (estimate.interval() == null)
      return Figure.unsure(
          estimate.value() == null ? null : estimate.value() / NS_PER_MS, estimate.reason());
    return Figure.estimate(
        estimate.value() / NS_PER_MS,
        estimate.interval().low() / NS_PER_MS,
        estimate.interval().high() / NS_PER_MS);
  }

  private void exact(String key, Number value, String missing) {
    bounded(key, value, true, missing);
  }

  private void bounded(String key, Number value, boolean sure, String missing) {
    all.put(
        key,
        value != null && sure
            ? Figure.exact(value.doubleValue())
            : Figure.unsure(value == null ? null : value.doubleValue(), missing));
  }
}
