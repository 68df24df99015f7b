package org.rpx.agent;

import java.util.function.LongSupplier;

/**
 * What a caller may see of a profile while it runs, and how it ends one. Every method may be left
 * as it is.
 */
public interface Watch {
  /** Sees nothing. */
  Watch NONE = new Watch() {};

  /**
   * A step begins: "load", "count", "threads", "warm-up", "time". Comes from the profiling thread.
   */
  default void phase(String name) {}

  /**
   * Work that may be done on another thread from now on, to be faster; what needs it waits for it,
   * or does it itself. The library starts no thread: unless a watcher does, it is done later.
   */
  default void beside(Runnable work) {}

  /** From now on {@code cancel} ends the profile, from any thread, after the forward that runs. */
  default void cancellable(Runnable cancel) {}

  /**
   * Temporary files that the profile removes by itself.
   *
   * @param remove removes them, from any thread: to be called where the process ends before
   */
  default void temporary(Runnable remove) {}

  /**
   * The timed loop begins.
   *
   * @param done finished forwards, to be read from any thread until {@link #timed}
   * @param of forwards at most
   * @param limitNs nanoseconds at most
   */
  default void timing(LongSupplier done, int of, long limitNs) {}

  /** The timed loop is over. */
  default void timed() {}
}
