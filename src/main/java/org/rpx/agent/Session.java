package org.rpx.agent;

import java.util.List;
import org.rpx.agent.engine.NativeSession.Data;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.Weight;

/** A model to run by hand. One thread at a time; IllegalStateException once closed. */
public final class Session implements AutoCloseable {
  private final LoadedModel model;

  Session(ModelSource source, Plan plan) {
    model = LoadedModel.of(source, plan, Watch.NONE);
    int threads = plan.threads() == null ? 1 : plan.threads();
    model.session().threads(threads, 1);
  }

  /** What forward takes. */
  public List<Argument> signature() {
    return List.copyOf(model.arguments());
  }

  /** Parameters and buffers: names and shapes. */
  public List<Weight> weights() {
    return model.weights();
  }

  /** The inputs' own memory, to be filled before a run; valid until the session is closed. */
  public List<Data> inputs() {
    return model.session().inputs();
  }

  /**
   * One forward; its nanoseconds. Throws NativeException INPUT, with the model's signature, where
   * it fails.
   */
  public long run() {
    return model.firstRun();
  }

  /** The last run's outputs; valid until the next run. */
  public List<Data> outputs() {
    return model.outputs();
  }

  /** Frees the model. A second call does nothing. */
  @Override
  public void close() {
    model.close();
  }
}
