package org.rpx.agent.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gathers latencies and gives the figures of {@code rpx_benchmark.profiler.LatencyProfiler}, save
 * that a batch counts as one measurement. Spread over its samples, as there, a batch would hide the
 * slow one among them and be cut in the middle by the warm-up. Not for use from several threads.
 */
public final class LatencyProfiler {
  private final int warmup;
  private final List<Double> samplesMs = new ArrayList<>();

  /** Drops the first measurement as warm-up. */
  public LatencyProfiler() {
    this(1);
  }

  /**
   * Drops the first {@code warmup} measurements.
   *
   * @param warmup how many, 0 or more; a batch is one measurement
   * @throws IllegalArgumentException if negative
   */
  public LatencyProfiler(int warmup) {
    if (warmup < 0) {
      throw new IllegalArgumentException(
          "warmup must be 0 or more, was " + warmup + "; use 0 to keep every measurement");
    }
    this.warmup = warmup;
  }

  /**
   * Adds one sample's time.
   *
   * @param seconds 0 or more
   * @throws IllegalArgumentException if negative or not finite
   */
  public void addSampleSeconds(double seconds) {
    addBatchSeconds(seconds, 1);
  }

  /**
   * Adds one batch's time, as a single measurement of {@code seconds / batch}.
   *
   * @param seconds that the whole batch took, 0 or more
   * @param batch samples in it, 1 or more
   * @throws IllegalArgumentException if {@code seconds} is negative or not finite, or {@code batch}
   *     is below 1
   */
  public void addBatchSeconds(double seconds, int batch) {
    if (!(Double.isFinite(seconds) && seconds >= 0)) {
      throw new IllegalArgumentException(
          "seconds must be a finite number of 0 or more, was "
              + seconds
              + "; take both times from one monotonic clock");
    }
    if (batch < 1) {
      throw new IllegalArgumentException(
          "batch must be 1 or more, was " + batch + "; add nothing for an empty batch");
    }
    samplesMs.add(seconds / batch * 1000.0);
  }

  /**
   * {@code p50_ms}, {@code p95_ms}, {@code p99_ms} and {@code mean_ms}, in that order, in
   * milliseconds a sample to 3 places. The first {@code warmup} measurements are left out, save
   * where none would remain: then all count. All four are null where nothing was added.
   */
  public Map<String, Double> percentiles() {
    Map<String, Double> figures = new LinkedHashMap<>();
    if (samplesMs.isEmpty()) {
      figures.put("p50_ms", null);
      figures.put("p95_ms", null);
      figures.put("p99_ms", null);
      figures.put("mean_ms", null);
      return figures;
    }
    int first = warmup < samplesMs.size() ? warmup : 0;
    double[] kept = samplesMs.stream().skip(first).mapToDouble(Double::doubleValue).toArray();
    Statistics statistics = Statistics.of(kept);
    figures.put("p50_ms", Thousandths.round(statistics.percentile(50)));
    figures.put("p95_ms", Thousandths.round(statistics.percentile(95)));
    figures.put("p99_ms", Thousandths.round(statistics.percentile(99)));
    figures.put("mean_ms", Thousandths.round(statistics.mean()));
    return figures;
  }

  /** Every measurement in the order added, warm-up included, in milliseconds a sample. */
  public List<Double> samplesMs() {
    return List.copyOf(samplesMs);
  }
}
