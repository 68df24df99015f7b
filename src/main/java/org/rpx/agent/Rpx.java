package org.rpx.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.host.Check;
import org.rpx.agent.measure.MemoryProfiler;
import org.rpx.agent.measure.PeakSource;
import org.rpx.agent.measure.PipedWorkload;
import org.rpx.agent.report.ComparisonReport;
import org.rpx.agent.report.EfficiencyReport;

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
   * Loads a model and runs it as another process tells, until its requests end: one side of a
   * {@link ProcessComparison}.
   *
   * @throws java.io.IOException where the other process is gone
   */
  public static void serve(
      ModelSource source, Plan plan, InputStream requests, OutputStream answers, Watch watch)
      throws IOException {
    if (plan.cpus() != null) Pinning.pin(plan.cpus(), Path.of("/"));
    try (LoadedModel model = LoadedModel.of(source, plan, watch)) {
      watch.cancellable(model.session()::cancel);
      model.firstRun();
      model.tryOtherInputs();
      Map<String, String> facts = new LinkedHashMap<>(LibTorch.facts());
      facts.replaceAll((key, value) -> value.substring(0, Math.min(1000, value.length())));
      PipedWorkload.serve(
          new SessionWorkload(model, false),
          () -> model.session().between(0, 0),
          facts,
          requests,
          answers);
    }
  }

  /**
   * Memory high waters of this process by the module's names, from {@code reset()} on. CUDA and MPS
   * have no source on this build: asked for or not, they are null.
   */
  public static MemoryProfiler memoryProfiler(
      boolean sampleCpu, boolean sampleCuda, boolean sampleMps) {
    return new MemoryProfiler(sampleCpu ? new ResidentPeak() : null, null, null);
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
