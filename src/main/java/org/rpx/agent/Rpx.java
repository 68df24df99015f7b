package org.rpx.agent;

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
    return new Profiler(source, plan, watch).profile();
  }

  /** A model to run by hand, with the plan's inputs, device, precision and threads. */
  public static Session session(ModelSource source, Plan plan) {
    return new Session(source, plan);
  }
}
