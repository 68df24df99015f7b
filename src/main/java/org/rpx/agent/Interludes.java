package org.rpx.agent;

import java.nio.file.Path;
import org.rpx.agent.engine.Device;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.host.LastLevelCache;
import org.rpx.agent.measure.Pace;

/**
 * What happens between the timed runs of a plan.
 *
 * @param periodNs of the schedule that releases them; 0 for runs back to back
 * @param flushedBytes what is written over to empty the caches; null where they are left alone
 * @param guessed whether that is a guess, as the machine does not tell
 */
record Interludes(long periodNs, Long flushedBytes, boolean guessed) {
  private static final Path ROOT = Path.of("/");

  static Interludes of(Plan plan) {
    long period = plan.rate() == null ? 0 : Pace.periodNs(plan.rate());
    if (!plan.coldCache()) return new Interludes(period, null, false);
    LastLevelCache cache = LastLevelCache.read(ROOT);
    return new Interludes(period, cache.flushBytes(), !cache.known());
  }

  /** Throws an IllegalArgumentException where the caches are not those of the device. */
  static void check(Plan plan, Device device) {
    if (plan.coldCache() && !device.isCpu())
      throw new IllegalArgumentException(
          "the caches that are emptied are the CPU's: measure without a cold cache on "
              + device.name());
  }

  /** From here on; the first set of inputs is next. */
  void begin(NativeSession session) {
    session.between(periodNs, flushedBytes == null ? 0 : flushedBytes);
  }

  /** What to say of a guess. */
  static String guess(long flushed) {
    return "this machine does not tell the size of its last-level cache: "
        + (flushed >> 20)
        + " MiB were written over before each run, a guess";
  }
}
