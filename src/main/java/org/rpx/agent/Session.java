package org.rpx.agent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.engine.TensorMemory;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.Weight;

/**
 * A model to run by hand, in a control loop for example (docs/embedding.md). Its inputs and outputs
 * lie in memory that stays where it is: fill, {@link #run}, read.
 *
 * <p>One thread at a time: a second one gets an IllegalStateException, and so does whoever uses a
 * closed session. Any number of sessions may be open side by side.
 */
public final class Session implements AutoCloseable {
  private static final long LOOK_AGAIN_NS = 50_000;

  // Who has the session: nobody, a thread, the device; a thread with a close() waiting for it; that
  // close() alone; nobody ever again.
  private static final int IDLE = 0;
  private static final int RUNNING = 1;
  private static final int ENQUEUED = 2;
  private static final int AWAITED = 3;
  private static final int GIVEN_UP = 4;
  private static final int CLOSED = 5;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Session.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LoadedModel model;
  private final NativeSession session;
  private final List<SessionTensor> inputs;
  private List<SessionTensor> outputs;
  private volatile int state = IDLE;

  Session(ModelSource source, SessionOptions options, Watch watch) {
    model = LoadedModel.of(source, options.plan(), watch);
    try {
      model.room.close();
      session = model.session();
      Integer threads = options.plan().threads();
      session.threads(threads == null ? 1 : threads, 1);
      inputs = bind(false);
      new SessionWarmUp(this).run(options.warmup());
    } catch (Throwable t) {
      model.close();
      throw t;
    }
  }

  /** What forward takes. */
  public List<Argument> signature() {
    return owned(() -> List.copyOf(model.arguments()));
  }

  /** Parameters and buffers: names and shapes. */
  public List<Weight> weights() {
    return owned(model::weights);
  }

  /** The tensors of forward's arguments, nested ones by path. */
  public List<SessionTensor> inputs() {
    return inputs;
  }

  /** An input: to be filled before a run. On the CPU it is the tensor's own memory. */
  public SessionTensor input(int index) {
    return at(inputs, index, "input");
  }

  /**
   * The tensors that forward gives back, in the order in which they lie in that; numbers and None
   * are left out.
   *
   * @throws IllegalStateException before the first run, where the session was not warmed up
   */
  public List<SessionTensor> outputs() {
    List<SessionTensor> known = outputs;
    if (known == null)
      throw new IllegalStateException(
          "outputs are known after the first run: run(), or open the session with a warm-up");
    return known;
  }

  /** An output: each run fills it, and nothing else does. */
  public SessionTensor output(int index) {
    return at(outputs(), index, "output");
  }

  private static SessionTensor at(List<SessionTensor> tensors, int index, String what) {
    if (index >= 0 && index < tensors.size()) return tensors.get(index);
    throw new IllegalArgumentException(
        "no " + what + " " + index + ": the model has " + tensors.size() + ", counted from 0");
  }

  /**
   * One forward from the inputs into the outputs, to its end. One native call; Java allocates
   * nothing, takes no lock and waits for nothing but the device, where there is one: then inputs
   * are copied there and outputs back on its current stream.
   *
   * @throws NativeException where forward fails, or an output has another shape than in the first
   *     run (UNSUPPORTED, with both; no output is written). The session can be used further
   */
  public void run() {
    own();
    try {
      if (outputs == null) first();
      else session.step();
    } catch (NativeException e) {
      throw explained(e);
    } finally {
      release(IDLE);
    }
  }

  /**
   * Begins a forward on a device and does not wait for it: inputs must not be written, nor outputs
   * read, before {@link #poll} is true. The CPU has nobody else to do the work: there it is a
   * {@link #run}.
   */
  public void runAsync() {
    int next = IDLE;
    own();
    try {
      if (outputs == null) {
        first();
      } else {
        session.enqueue();
        next = model.device().isCpu() ? IDLE : ENQUEUED;
      }
    } catch (NativeException e) {
      throw explained(e);
    } finally {
      release(next);
    }
  }

  /** Whether what {@link #runAsync} began is done, or nothing was begun. Does not wait. */
  public boolean poll() {
    if (!STATE.compareAndSet(this, ENQUEUED, RUNNING)) {
      if (state == IDLE) return true;
      throw refused();
    }
    int next = IDLE;
    try {
      if (session.ready()) return true;
      next = ENQUEUED;
      return false;
    } catch (NativeException e) {
      throw explained(e);
    } finally {
      release(next);
    }
  }

  /**
   * Device times of the loop's cycles, for a {@link org.rpx.agent.monitor.LatencyMonitor}.
   *
   * @param pairs of events: cycles that may be under way before they are collected, 1 to 65,536
   */
  public DeviceTimer deviceTimer(int pairs) {
    return new DeviceTimer(model.device(), pairs);
  }

  /**
   * Frees the model; a run that is under way in another thread is waited for, and is its last one.
   * A second call does nothing. Buffers over inputs and outputs stay readable.
   */
  @Override
  public void close() {
    while (true) {
      int now = state;
      switch (now) {
        case CLOSED -> {
          return;
        }
        case RUNNING -> STATE.compareAndSet(this, RUNNING, AWAITED);
        case AWAITED -> LockSupport.parkNanos(this, LOOK_AGAIN_NS);
        default -> {
          if (!STATE.compareAndSet(this, now, CLOSED)) continue;
          model.close();
          return;
        }
      }
    }
  }

  /** Puts inputs and model back to what they were. */
  void rewind(List<ByteBuffer> values) {
    for (int i = 0; i < values.size(); i++)
      inputs.get(i).asByteBuffer().put(values.get(i).duplicate());
    owned(
        () -> {
          session.restore();
          return null;
        });
  }

  private void first() {
    model.firstRun();
    outputs = bind(true);
  }

  private List<SessionTensor> bind(boolean output) {
    List<TensorMemory> tensors;
    List<ByteBuffer> memory;
    try {
      tensors = output ? model.outputs() : model.inputs();
      memory = session.bind(output, model.device());
    } catch (NativeException e) {
      throw model.about(e);
    }
    List<SessionTensor> bound = new ArrayList<>();
    for (TensorMemory d : tensors)
      bound.add(
          new SessionTensor(
              d.path(), d.tensor().dtype(), d.tensor().sizes(), memory.get(bound.size())));
    return List.copyOf(bound);
  }

  private <T> T owned(Supplier<T> work) {
    own();
    try {
      return work.get();
    } finally {
      release(IDLE);
    }
  }

  private void own() {
    if (!STATE.compareAndSet(this, IDLE, RUNNING)) throw refused();
  }

  private void release(int next) {
    if (!STATE.compareAndSet(this, RUNNING, next)) state = GIVEN_UP;
  }

  private IllegalStateException refused() {
    return new IllegalStateException(
        switch (state) {
          case ENQUEUED -> "a runAsync() of this session is under way: poll() until it is true";
          case AWAITED, GIVEN_UP, CLOSED -> "the session is closed";
          default -> "another thread uses this session: open one for each thread";
        });
  }

  private NativeException explained(NativeException e) {
    // The first run's are already.
    if (outputs == null) return e;
    return e.code() == NativeException.Code.INPUT ? model.advise(e.getMessage()) : model.about(e);
  }
}
