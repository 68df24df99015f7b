package org.rpx.agent;

import java.util.List;
import java.util.Map;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.gate.Figure;
import org.rpx.agent.host.Check;
import org.rpx.agent.measure.MemoryProfiler;
import org.rpx.agent.measure.PeakSource;
import org.rpx.agent.monitor.BlackBoxFile;
import org.rpx.agent.report.ComparisonReport;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.SweepReport;
import org.rpx.agent.tier2.GpuTable;

/** The API: what a model costs to run. */
public final class Rpx {
  private Rpx() {}

  /**
   * Finds out what a plan asks for. The model is loaded for it and freed after; its file is only
   * read.
   *
   * @throws IllegalArgumentException where the plan does not fit the model: what is wrong and how
   *     to say it right
   * @throws org.rpx.agent.engine.NativeException where the file is no model, LibTorch is missing,
   *     or a forward fails
   */
  public static EfficiencyReport profile(ModelSource source, Plan plan) {
    return profile(source, plan, Watch.NONE);
  }

  /**
   * The same, watched.
   *
   * @throws CancelledException where the watcher ended it
   */
  public static EfficiencyReport profile(ModelSource source, Plan plan, Watch watch) {
    if (source instanceof ModelSource.Api api) return ReportBuilder.api(api, plan);
    if (ExportedCount.suits(source, plan)) return ExportedCount.count(source, plan, watch);
    return new Profiler(source, plan, watch).profile();
  }

  /**
   * Measures two models in turns in this process; the second beside the first.
   *
   * @param margin what counts as the same, as a share of the median: 0.01
   * @throws CancelledException where the watcher ended it
   */
  public static ComparisonReport compare(
      ModelSource first,
      Plan firstPlan,
      ModelSource second,
      Plan secondPlan,
      double margin,
      Watch watch) {
    return new ComparisonReport(
        "live",
        first.text(),
        List.of(new LiveComparison(watch).run(first, firstPlan, second, secondPlan, margin)),
        List.of());
  }

  /**
   * Compares two saved reports, of which each process is one sample.
   *
   * @param margin what counts as the same, as a share of the median: 0.01
   * @param force whether to compare measurements of different machines too
   * @throws IllegalArgumentException where the machines differ, or nothing was timed in one
   */
  public static ComparisonReport.Compared compareSaved(
      String firstName,
      EfficiencyReport first,
      String otherName,
      EfficiencyReport other,
      double margin,
      boolean force) {
    return SavedComparison.of(firstName, first, otherName, other, margin, force);
  }

  /**
   * The same report with tier 2 for other GPUs; nothing is run.
   *
   * @throws IllegalArgumentException where the report has no tier 1
   */
  public static EfficiencyReport roofline(EfficiencyReport report, List<GpuTable.Row> gpus) {
    return Tier2.again(report, gpus);
  }

  /** A control loop's black box as a measurement: a report for whole cycles, and each stage's. */
  public static SweepReport replay(BlackBoxFile box) {
    return Replay.of(box);
  }

  /**
   * The figures that a gate may name of a black box: those of {@link EfficiencyReport#figures} for
   * whole cycles, {@code STAGE.p99_ms} and so on for a stage, and {@code deadline_misses}, {@code
   * longest_miss_run} and {@code skipped} since the loop's start.
   *
   * @param replayed what {@link #replay} made of the box
   */
  public static Map<String, Figure> replayFigures(BlackBoxFile box, SweepReport replayed) {
    return Replay.figures(box, replayed);
  }

  /**
   * A report of made-up figures, in which nothing is true: for a program that has time to load and
   * run the classes of a report before there is one. Needs no LibTorch.
   */
  public static EfficiencyReport rehearsal(Plan plan) {
    return MadeUpReport.of(plan);
  }

  /**
   * Memory high waters of this process by the module's names, from {@code reset()} on: resident
   * memory of the host, bytes of tensors on the first CUDA device as its allocator counts them, and
   * what MPS's driver holds. One that is asked for and missing is null; its note says why.
   */
  public static MemoryProfiler memoryProfiler(
      boolean sampleCpu, boolean sampleCuda, boolean sampleMps) {
    return new MemoryProfiler(
        sampleCpu ? new ResidentPeak() : null,
        sampleCuda ? AllocatorPeak.of("cuda") : null,
        sampleMps ? AllocatorPeak.of("mps") : null);
  }

  /**
   * What this machine can measure now, and what spoils figures on it, each with the remedy. Takes
   * about a second; never throws.
   */
  public static List<Check> doctor() {
    return Doctor.checks();
  }

  /** The kernel's high water of the resident size; unknown where it cannot be set back. */
  private static final class ResidentPeak implements PeakSource {
    private boolean ours;

    @Override
    public void reset() {
      ours = LibTorch.resetResidentPeak();
    }

    @Override
    public Double peakMb() {
      Long bytes = ours ? LibTorch.residentPeakBytes() : null;
      return bytes == null ? null : bytes / (1024.0 * 1024.0);
    }
  }

  /**
   * A model to run by hand, loaded, prepared and warmed up.
   *
   * @throws IllegalArgumentException where the options do not fit the model
   * @throws org.rpx.agent.engine.NativeException where the file is no model, LibTorch or the device
   *     is missing, or a forward fails
   */
  public static Session session(ModelSource source, SessionOptions options) {
    return session(source, options, Watch.NONE);
  }

  /** The same; the watcher hears of temporary files. */
  public static Session session(ModelSource source, SessionOptions options, Watch watch) {
    return new Session(source, options, watch);
  }
}
