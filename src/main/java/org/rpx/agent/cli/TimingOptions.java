package org.rpx.agent.cli;

import java.time.Duration;
import java.util.List;
import org.rpx.agent.Plan;
import org.rpx.agent.measure.Course;
import picocli.CommandLine.Option;

/** How runs are timed, and how many: of one model, or of two in turns. */
final class TimingOptions {
  @Option(
      names = "--warmup",
      paramLabel = "N",
      description =
          "Untimed runs after the threads are settled. Default: until their times agree, at most 1 s.")
  private Integer warmup;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description =
          "Timed runs, or pairs of compare. Default: 1000, or fewer in 3 s or where the median is"
              + " sure to 0.5 %%; pairs as many as --duration takes.")
  private Integer iterations;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "No timed run begins after this: 200ms, 3s. Default of compare: 10s.")
  private Duration duration;

  @Option(
      names = "--precision-target",
      paramLabel = "SHARE",
      converter = Percent.class,
      description =
          "Time until the median's 95 %% interval is within this: 1%%. In compare, the 99 %%"
              + " interval of the difference.")
  private Double precisionTarget;

  @Option(
      names = "--percentile",
      paramLabel = "P,…",
      split = ",",
      description = "Of the latency, to report: 50,95,99 (default), 99.9.")
  private List<Double> percentiles;

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      converter = Rates.class,
      description =
          "Release the timed runs on a schedule, as a control loop does: 30hz, 1khz. Latency is from the release."
              + " Default of --duration then: 10s.")
  private Double rate;

  @Option(names = "--cold-cache", description = "Empty the CPU's caches before each timed run.")
  private boolean coldCache;

  @Option(
      names = "--cpus",
      paramLabel = "LIST",
      converter = CpuList.class,
      description = "Pin the process to these CPUs: 0,2 or 0-3.")
  private List<Integer> cpus;

  /** The plan, timed so. */
  Plan on(Plan plan) {
    return plan.withWarmup(warmup)
        .withIterations(iterations)
        .withDuration(duration)
        .withPrecisionTarget(precisionTarget)
        .withRate(rate)
        .withColdCache(coldCache)
        .withCpus(cpus)
        .withPercentiles(percentiles == null ? Course.PERCENTILES : percentiles);
  }
}
