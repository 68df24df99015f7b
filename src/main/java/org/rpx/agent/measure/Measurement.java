package org.rpx.agent.measure;

import java.util.Map;

/**
 * Tier 3: what was measured on this machine. Times are of one forward call of the whole batch; what
 * is unknown is null.
 *
 * @param device the device it ran on, as asked for ("cpu")
 * @param loadMs from opening the file to a module in memory (ms)
 * @param firstRunMs the first forward after loading, nothing warm (ms)
 * @param warmupRuns forwards between the first and the first timed one, those that settled the
 *     threads included
 * @param samples the timed forwards
 * @param batch samples per forward call
 * @param threads the widths of the thread pools, and what else was tried
 * @param peak memory high waters of the timed runs
 * @param course how it went
 */
public record Measurement(
    String device,
    Double loadMs,
    Double firstRunMs,
    int warmupRuns,
    Samples samples,
    int batch,
    Threads threads,
    Peak peak,
    Course course) {

  /** One whose course nobody tells. */
  public Measurement(
      String device,
      Double loadMs,
      Double firstRunMs,
      int warmupRuns,
      Samples samples,
      int batch,
      Threads threads,
      Peak peak) {
    this(device, loadMs, firstRunMs, warmupRuns, samples, batch, threads, peak, Course.UNKNOWN);
  }

  /** The same, with another course. */
  public Measurement withCourse(Course course) {
    return new Measurement(
        device, loadMs, firstRunMs, warmupRuns, samples, batch, threads, peak, course);
  }

  /** Forward calls' worth of batch elements per second, at the mean latency. */
  public Double throughputPerS() {
    return samples.count() == 0 ? null : batch / (statistics().mean() / 1e9);
  }

  /** A percentile in milliseconds; null where there is no sample, or too few for it. */
  public Double percentileMs(double p) {
    if (samples.count() == 0) return null;
    Double ns = Percentiles.of(samples).at(p).value();
    return ns == null ? null : ns / 1e6;
  }

  /** Statistics of the durations, in nanoseconds. */
  public Statistics statistics() {
    return samples.statistics();
  }

  /**
   * Thread pools of the timed runs.
   *
   * @param operators OpenMP threads that run operators
   * @param blas threads of the matrix library's own pool; 0 where it has none and uses the
   *     operators'
   * @param medianMsBySetup what was tried, in milliseconds ("2x1" = 2 operator threads, 1 BLAS
   *     thread); empty where there was no choice
   */
  public record Threads(int operators, int blas, Map<String, Double> medianMsBySetup) {}

  /**
   * Memory high waters in MiB.
   *
   * @param cpuRssMb the process's resident size, reset before the timed runs
   * @param cpuTensorMb the CPU allocator's peak in one forward, above what was allocated before it
   *     (without weights)
   * @param cudaMb null without CUDA
   * @param mpsMb null without MPS
   */
  public record Peak(Double cpuRssMb, Double cpuTensorMb, Double cudaMb, Double mpsMb) {}
}
