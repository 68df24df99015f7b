package org.rpx.agent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.measure.Workload;

/** A model as something to run and time. */
class SessionWorkload implements Workload {
  private final LoadedModel model;
  private final boolean events;
  private final List<long[]> enqueued = new ArrayList<>();

  /**
   * One whose runs are timed by the device's events, or by the host's clock to their end. From here
   * on they no longer ask whether there is memory left: that would be some percent of a run.
   *
   * @param events only on an accelerator that has them
   */
  SessionWorkload(LoadedModel model, boolean events) {
    model.room.close();
    this.model = model;
    this.events = events;
  }

  /** The host's part of each run so far; null without events. */
  long[] enqueuedNs() {
    return events ? enqueued.stream().flatMapToLong(LongStream::of).toArray() : null;
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
    long[][] ns =
        events
            ? model.session().timeByEvents(n, limit.toNanos(), progress)
            : model.session().time(n, limit.toNanos(), progress);
    if (events) enqueued.add(ns[2]);
    if (ns[0].length == 0) throw new CancelledException();
    return new Samples(ns[0], ns[1], ns[0].length);
  }
}
