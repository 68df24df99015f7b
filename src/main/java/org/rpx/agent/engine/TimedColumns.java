package org.rpx.agent.engine;

import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.bytedeco.javacpp.LongPointer;

/** The native memory that the timed loop writes to while it runs. */
final class TimedColumns {
  private TimedColumns() {}

  /**
   * Runs the loop.
   *
   * @param columns 2 for starts and durations, 3 for starts, durations on the device and durations
   *     of the host's work
   * @return a column each, in nanoseconds, as many rows as ran
   */
  static long[][] run(
      Binding.Session session, int n, long limitNs, Consumer<LongSupplier> watch, int columns) {
    try (LongPointer start = new LongPointer(n);
        LongPointer duration = new LongPointer(n);
        LongPointer device = columns == 3 ? new LongPointer(n) : null;
        LongPointer done = new LongPointer(1)) {
      done.put(0, 0L);
      // Pages that are touched for the first time would cost the first samples.
      start.zero();
      duration.zero();
      if (device != null) device.zero();
      if (watch != null) watch.accept(done::get);
      int ran;
      try {
        ran = Math.toIntExact(session.time(start, duration, device, n, limitNs, done));
      } finally {
        if (watch != null) watch.accept(null);
      }
      long[][] samples = new long[columns][ran];
      start.get(samples[0]);
      duration.get(samples[columns - 1]);
      if (device != null) device.get(samples[1]);
      return samples;
    }
  }
}
