package org.rpx.agent.monitor;

/**
 * The log-linear buckets of all histograms: exact below 2048 ns, then 1024 to an octave, as
 * HdrHistogram lays them out for three significant digits from 1 ns. A bucket is no wider than
 * 1/1024 of the values in it; its middle is within 1/2048 of each.
 */
final class Buckets {
  /** Values from here on (18 minutes) share the last bucket; their maximum is kept apart, exact. */
  static final long LIMIT = 1L << 40;

  /** How far a quantile may lie from the sample it stands for, as a part of it. */
  static final double RELATIVE_ERROR = 1.0 / 2048;

  static final int COUNT = index(LIMIT - 1) + 1;

  private Buckets() {}

  /** The bucket of a value, 0 or more. */
  static int index(long value) {
    long v = Math.min(value, LIMIT - 1);
    int shift = Math.max(0, 53 - Long.numberOfLeadingZeros(v));
    return (shift << 10) + (int) (v >>> shift);
  }

  /** The smallest value of a bucket. */
  static long lowest(int index) {
    return index < 2048 ? index : (1024L + (index & 1023)) << shift(index);
  }

  /** The value that stands for a bucket: its middle. */
  static long middle(int index) {
    return lowest(index) + ((1L << shift(index)) >> 1);
  }

  private static int shift(int index) {
    return index < 2048 ? 0 : (index >>> 10) - 1;
  }
}
