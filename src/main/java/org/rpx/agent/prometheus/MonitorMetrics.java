package org.rpx.agent.prometheus;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantile;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.rpx.agent.monitor.LatencyFigures;
import org.rpx.agent.monitor.LatencyMonitor;
import org.rpx.agent.monitor.MonitorSnapshot;
import org.rpx.agent.monitor.SpanFigures;

/**
 * Monitors as metrics, label {@code monitor} their names: for a registry of one's own, or as text.
 * Counts and sums are since the start, quantiles of the last window, as Prometheus' own summaries
 * have them; seconds. What is not known has no sample.
 */
public final class MonitorMetrics implements MultiCollector {
  private final List<LatencyMonitor> monitors;
  private final List<SummaryDataPointSnapshot> cycles = new ArrayList<>();
  private final List<SummaryDataPointSnapshot> stages = new ArrayList<>();
  private final List<SummaryDataPointSnapshot> lateness = new ArrayList<>();
  private final List<SummaryDataPointSnapshot> devices = new ArrayList<>();
  private final List<CounterDataPointSnapshot> misses = new ArrayList<>();
  private final List<CounterDataPointSnapshot> skipped = new ArrayList<>();
  private final List<CounterDataPointSnapshot> wrong = new ArrayList<>();
  private final List<GaugeDataPointSnapshot> longest = new ArrayList<>();
  private final List<GaugeDataPointSnapshot> runs = new ArrayList<>();

  /** All of these; their names must differ. */
  public MonitorMetrics(LatencyMonitor... monitors) {
    this.monitors = List.of(monitors);
  }

  /** What a scrape gives, in Prometheus' text format. */
  public String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, collect(), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Override
  public synchronized MetricSnapshots collect() {
    for (List<?> each :
        List.of(cycles, stages, lateness, devices, misses, skipped, wrong, longest, runs)) {
      each.clear();
    }
    for (LatencyMonitor monitor : monitors) add(monitor.snapshot());
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    summary(all, "rpx_cycle_seconds", "Cycles from begin to end.", cycles);
    summary(all, "rpx_stage_seconds", "Stages of the cycles.", stages);
    summary(all, "rpx_begin_after_release_seconds", "Jitter against the schedule.", lateness);
    summary(all, "rpx_device_seconds", "Device times.", devices);
    counter(all, "rpx_deadline_misses", "Cycles past their deadline.", misses);
    counter(all, "rpx_skipped_releases", "Releases without a cycle.", skipped);
    counter(all, "rpx_wrong_use", "Calls of the monitor that were wrong.", wrong);
    gauge(all, "rpx_cycle_longest_seconds", "The longest cycle since the start.", longest);
    gauge(all, "rpx_deadline_miss_run_longest", "The longest run of misses.", runs);
    return all.build();
  }

  private void add(MonitorSnapshot s) {
    Labels labels = Labels.of("monitor", s.name());
    SpanFigures all = s.sinceStart();
    SpanFigures window = s.window();
    summary(cycles, labels, all.whole(), window.whole());
    for (int i = 0; i < s.stages().size(); i++) {
      Labels stage = Labels.of("monitor", s.name(), "stage", s.stages().get(i));
      summary(stages, stage, all.stages().get(i), window.stages().get(i));
    }
    if (all.lateness().count() > 0) summary(lateness, labels, all.lateness(), window.lateness());
    if (all.device().count() > 0) summary(devices, labels, all.device(), window.device());
    counter(misses, labels, all.misses());
    counter(skipped, labels, all.skipped());
    counter(wrong, labels, s.wrongUse().total());
    if (all.whole().max() != null) longest.add(gauge(labels, all.whole().max() / 1e9));
    if (all.longestMissRun() != null) runs.add(gauge(labels, all.longestMissRun()));
  }

  private static void summary(
      List<SummaryDataPointSnapshot> to, Labels labels, LatencyFigures all, LatencyFigures window) {
    Quantiles quantiles = Quantiles.EMPTY;
    if (window.count() > 0) {
      quantiles =
          Quantiles.of(
              new Quantile(0.5, window.p50() / 1e9),
              new Quantile(0.95, window.p95() / 1e9),
              new Quantile(0.99, window.p99() / 1e9),
              new Quantile(0.999, window.p999() / 1e9));
    }
    double sum = all.count() == 0 ? 0 : all.mean() * all.count() / 1e9;
    SummaryDataPointSnapshot.Builder point = SummaryDataPointSnapshot.builder().count(all.count());
    point.quantiles(quantiles).sum(sum).labels(labels);
    to.add(point.build());
  }

  private static void counter(List<CounterDataPointSnapshot> to, Labels labels, Long value) {
    if (value == null) return;
    to.add(CounterDataPointSnapshot.builder().labels(labels).value(value).build());
  }

  private static GaugeDataPointSnapshot gauge(Labels labels, double value) {
    return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
  }

  private static void summary(
      MetricSnapshots.Builder all, String name, String help, List<SummaryDataPointSnapshot> of) {
    if (of.isEmpty()) return;
    SummarySnapshot.Builder metric = SummarySnapshot.builder().name(name).help(help);
    of.forEach(metric::dataPoint);
    all.metricSnapshot(metric.build());
  }

  private static void counter(
      MetricSnapshots.Builder all, String name, String help, List<CounterDataPointSnapshot> of) {
    if (of.isEmpty()) return;
    CounterSnapshot.Builder metric = CounterSnapshot.builder().name(name).help(help);
    of.forEach(metric::dataPoint);
    all.metricSnapshot(metric.build());
  }

  private static void gauge(
      MetricSnapshots.Builder all, String name, String help, List<GaugeDataPointSnapshot> of) {
    if (of.isEmpty()) return;
    GaugeSnapshot.Builder metric = GaugeSnapshot.builder().name(name).help(help);
    of.forEach(metric::dataPoint);
    all.metricSnapshot(metric.build());
  }
}
