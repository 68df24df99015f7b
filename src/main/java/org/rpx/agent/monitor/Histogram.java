package org.rpx.agent.monitor;

import java.util.Arrays;

/** Counts of nanoseconds in fixed memory (254 kB). One thread at a time; nothing is allocated. */
final class Histogram {
  private final long[] counts = new long[Buckets.COUNT];
  private long count;
  private long sum;
  private long min = Long.MAX_VALUE;
  private long max;

  /** One more value, 0 or more. */
  void add(long value) {
    counts[Buckets.index(value)]++;
    count++;
    sum += value;
    if (value < min) min = value;
    if (value > max) max = value;
  }

  void add(Histogram other) {
    if (other.count == 0) return;
    // Only what was used: a loop's latencies fill a small part of the range.
    int last = Buckets.index(other.max);
    for (int i = Buckets.index(other.min); i <= last; i++) counts[i] += other.counts[i];
    count += other.count;
    sum += other.sum;
    min = Math.min(min, other.min);
    max = Math.max(max, other.max);
  }

  void clear() {
    if (count == 0) return;
    Arrays.fill(counts, Buckets.index(min), Buckets.index(max) + 1, 0);
    count = 0;
    sum = 0;
    min = Long.MAX_VALUE;
    max = 0;
  }

  long count() {
    return count;
  }

  long sum() {
    return sum;
  }

  long min() {
    return min;
  }

  long max() {
    return max;
  }

  /** How many values lie in one bucket. */
  long at(int index) {
    return counts[index];
  }

  /** The place of a quantile among sorted values, from 1. */
  static long rank(double quantile, long count) {
    // Up only where it is above a whole number by more than the product's rounding.
    return Math.max(1, (long) Math.ceil(quantile * count * (1 - 1e-15)));
  }

  /**
   * The nearest-rank quantile, {@code value[ceil(q n)]} of the sorted values counted from 1, within
   * {@link Buckets#RELATIVE_ERROR}; never outside min and max. There must be a value.
   *
   * @param quantile in (0, 1]
   */
  long quantile(double quantile) {
    long rank = rank(quantile, count);
    int last = Buckets.index(max);
    long seen = 0;
    for (int i = Buckets.index(min); i <= last; i++) {
      seen += counts[i];
      if (seen >= rank) return Math.max(min, Math.min(max, Buckets.middle(i)));
    }
    return max;
  }
}
