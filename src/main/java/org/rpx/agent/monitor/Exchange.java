package org.rpx.agent.monitor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Two tallies between one writer and readers that take turns: the writer always fills the active
 * one, a reader swaps them and waits until the writer has left the other.
 *
 * <p>The writer makes the version odd, then looks which tally is active; a reader swaps, then looks
 * at the version. Both pairs are volatile, so in their one order either the reader sees the odd
 * version and waits for it to pass, or the writer sees the swap. The writer never waits.
 */
final class Exchange {
  private static final VarHandle VERSION;
  private static final int SPINS = 10_000;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(Exchange.class, "version", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Odd while the writer is inside. Written by the writer alone. */
  private long version;

  private volatile Tally active;

  /** The reader's: empty, or being left by the writer. */
  private Tally spare;

  private boolean swapped;

  Exchange(int stages) {
    active = new Tally(stages);
    spare = new Tally(stages);
  }

  /** The writer's: what to count into until {@link #leave}. */
  Tally enter() {
    VERSION.setVolatile(this, version + 1);
    return active;
  }

  void leave() {
    VERSION.setRelease(this, version + 1);
  }

  /**
   * A reader's, one at a time: what was counted since the last call, to be cleared before the next
   * one.
   *
   * @return null where the writer was held inside for longer than the patience (a debugger, a
   *     stopped process); the next call gets it
   */
  Tally drain(long patienceNanos) {
    if (!swapped) {
      Tally full = active;
      active = spare;
      spare = full;
      swapped = true;
    }
    if (!left(patienceNanos)) return null;
    swapped = false;
    return spare;
  }

  private boolean left(long patienceNanos) {
    long inside = (long) VERSION.getVolatile(this);
    if ((inside & 1) == 0) return true;
    long start = System.nanoTime();
    for (int i = 0; (long) VERSION.getAcquire(this) == inside; i++) {
      if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        // It lost its core inside: spinning on would only keep it away.
        if (System.nanoTime() - start > patienceNanos) return false;
        LockSupport.parkNanos(50_000);
      }
    }
    return true;
  }
}
