package org.rpx.agent;

import java.util.List;
import org.rpx.agent.engine.NativeSession.Data;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.Weight;

/** A model to run by hand. One thread at a time; IllegalStateException once closed. */
public final class Session implements AutoCloseable {
  private final LoadedModel model;

  Session(ModelSource source, Plan plan, Watch watch) {
    model = LoadedModel.of(source, plan, watch);
    int threads = plan.threads() == null ? 1 : plan.threads();
    model.session().threads(threads, 1);
    // Runs by hand may be timed.
    model.room.close();
  }

  /** What forward takes. */
  public List<Argument> signature() {
    return List.copyOf(model.arguments());
  }

  /** Parameters and buffers: names and shapes. */
  public List<Weight> weights() {
    return model.weights();
  }

  /**
   * The inputs' own memory, to be filled before a run; valid until the session is closed. On an
   * accelerator a copy, to be read only. Paths begin with the argument's name ("x", "state.0",
   * "batch.rgb"), or in0, in1 … where the file does not tell it.
   */
  public List<Data> inputs() {
    return model.inputs();
  }

  /**
   * One forward; its nanoseconds. Throws NativeException INPUT, with the model's signature, where
   * it fails.
   */
  public long run() {
    return model.firstRun();
  }

  /**
   * The last run's tensors, in the order in which they lie in what forward gives back; valid until
   * the next run. The path of one that it gives back alone is empty; others are "0", "logits",
   * "state.1".
   */
  public List<Data> outputs() {
    return model.outputs();
  }

  /** Frees the model. A second call does nothing. */
  @Override
  public void close() {
    model.close();
  }
}
