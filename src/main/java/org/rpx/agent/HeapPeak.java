package org.rpx.agent;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/**
 * The high water of Java's own heap. Loads java.lang.management, which takes some 50 ms once per
 * process.
 */
final class HeapPeak {
  private HeapPeak() {}

  /** From now on a new high water is kept. */
  static void reset() {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        pool.resetPeakUsage();
      }
    }
  }

  /**
   * The pools' high waters together, in bytes: no less than the heap held at any moment, and more
   * where they do not fall together. Null where the JVM does not tell.
   */
  static Long bytes() {
    long sum = 0;
    boolean known = false;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage peak = pool.getType() == MemoryType.HEAP ? pool.getPeakUsage() : null;
      if (peak != null) {
        sum += peak.getUsed();
        known = true;
      }
    }
    return known ? (Long) sum : null;
  }
}
