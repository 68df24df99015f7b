package org.rpx.agent;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.measure.Workload;

/** A model as something to run and time. */
class SessionWorkload implements Workload {
  private final LoadedModel model;

  SessionWorkload(LoadedModel model) {
    this.model = model;
  }

  @Override
  public void threads(int operators, int blas) {
    model.session().threads(operators, blas);
  }

  @Override
  public Samples time(int n, Duration limit) {
    return time(n, limit, null);
  }

  /** The same, watched: {@link org.rpx.agent.engine.NativeSession#time}. */
  Samples time(int n, Duration limit, Consumer<LongSupplier> progress) {
    long[][] ns = model.session().time(n, limit.toNanos(), progress);
    if (ns[0].length == 0) throw new CancelledException();
    return new Samples(ns[0], ns[1], ns[0].length);
  }
}
