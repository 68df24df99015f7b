package org.rpx.agent.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Tier 3: what was measured on this machine. Times are of one forward call of the whole batch; what
 * is unknown is null.
 *
 * @param device the device it ran on ("cpu", "cuda:0")
 * @param loadMs from opening the file to a module in memory (ms)
 * @param firstRunMs the first forward after loading, nothing warm (ms)
 * @param warmupRuns forwards between the first and the first timed one, those that settled the
 *     threads included
 * @param samples the timed forwards; on an accelerator, their time there; of paced ones, the
 *     latency from their intended release, and that as their start
 * @param batch samples per forward call
 * @param threads the widths of the thread pools, and what else was tried
 * @param peak memory high waters of the timed runs
 * @param course how it went
 * @param telemetry what the machine did meanwhile, as reports have it; null where nobody looked
 * @param deviceTimes what else was timed on an accelerator; null on the CPU
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
    Course course,
    Map<String, Object> telemetry,
    DeviceTimes deviceTimes) {

  /** One of the CPU whose course nobody tells. */
  public Measurement(
      String device,
      Double loadMs,
      Double firstRunMs,
      int warmupRuns,
      Samples samples,
      int batch,
      Threads threads,
      Peak peak) {
    this(
        device,
        loadMs,
        firstRunMs,
        warmupRuns,
        samples,
        batch,
        threads,
        peak,
        Course.UNKNOWN,
        null,
        null);
  }

  /** One of the CPU. */
  public Measurement(
      String device,
      Double loadMs,
      Double firstRunMs,
      int warmupRuns,
      Samples samples,
      int batch,
      Threads threads,
      Peak peak,
      Course course) {
    this(device, loadMs, firstRunMs, warmupRuns, samples, batch, threads, peak, course, null, null);
  }

  /** The same, with another course. */
  public Measurement withCourse(Course course) {
    return new Measurement(
        device,
        loadMs,
        firstRunMs,
        warmupRuns,
        samples,
        batch,
        threads,
        peak,
        course,
        telemetry,
        deviceTimes);
  }

  /**
   * Forward calls' worth of batch elements per second, at the mean latency; of paced runs, at the
   * mean time that they take: what the program could do, not what it was asked to.
   */
  public Double throughputPerS() {
    if (paced() != null) {
      Double capacity = paced().capacityHz();
      return capacity == null ? null : batch * capacity;
    }
    return samples.count() == 0 ? null : batch / (statistics().mean() / 1e9);
  }

  /** A percentile in milliseconds; null where there is no sample, or too few for it. */
  public Double percentileMs(double p) {
    if (samples.count() == 0) return null;
    Double ns = Percentiles.of(samples).at(p).value();
    return ns == null ? null : ns / 1e6;
  }

  /** The runs by their schedule; null where they ran back to back. */
  public PacedRuns paced() {
    Pace pace = course.loop().pace();
    return pace == null || samples.count() == 0 ? null : pace.runs(samples);
  }

  /**
   * Whether the median latency keeps up with loops of 5, 10 and 30 Hz, and with that of the pace;
   * empty where nothing was timed.
   */
  public List<RealTime> realTime() {
    if (samples.count() == 0) return List.of();
    double p50 = statistics().median() / 1e6;
    List<RealTime> verdicts = new ArrayList<>(RealTime.verdicts(p50));
    Pace pace = course.loop().pace();
    if (pace != null && !RealTime.RATES_HZ.contains(pace.hz()))
      verdicts.add(RealTime.at(p50, pace.hz()));
    return verdicts;
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
   * @param cudaMb tensors on the CUDA device, by its allocator; null without CUDA
   * @param mpsMb the Apple GPU's memory, sampled; null without MPS
   * @param device of the accelerator, whichever; null on the CPU
   */
  public record Peak(
      Double cpuRssMb, Double cpuTensorMb, Double cudaMb, Double mpsMb, DevicePeak device) {

    /** One of the CPU. */
    public Peak(Double cpuRssMb, Double cpuTensorMb, Double cudaMb, Double mpsMb) {
      this(cpuRssMb, cpuTensorMb, cudaMb, mpsMb, null);
    }
  }

  /**
   * Memory of an accelerator in MiB; what it does not tell is null.
   *
   * @param allocatedMb the most that tensors held, weights included
   * @param reservedMb the most that the allocator held for them
   * @param usedMb in use by all processes behind the timed runs, as the driver says
   * @param totalMb that the device has
   * @param sampled the device keeps no high waters: the first two are the larger of what was there
   *     before and behind the timed runs
   */
  public record DevicePeak(
      Double allocatedMb, Double reservedMb, Double usedMb, Double totalMb, boolean sampled) {}
}
