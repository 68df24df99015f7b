package org.rpx.agent.monitor;

/**
 * The buckets of one histogram that are not empty, for exporters. They are those of HdrHistogram
 * for three significant digits from 1 ns.
 *
 * @param name "cycle", a stage's name, "begin after release" or "device"
 * @param nanos the least value of each bucket, ascending
 * @param counts how many samples lie in each, since the monitor's start
 * @param max the largest sample; 0 where there is none
 */
public record BucketCounts(String name, long[] nanos, long[] counts, long max) {
  static BucketCounts of(String name, Histogram histogram) {
    int last = histogram.count() == 0 ? -1 : Buckets.index(histogram.max());
    int first = Math.max(0, Buckets.index(histogram.min()));
    int used = 0;
    for (int i = first; i <= last; i++) if (histogram.at(i) > 0) used++;
    long[] nanos = new long[used];
    long[] counts = new long[used];
    for (int i = first, to = 0; i <= last; i++) {
      if (histogram.at(i) == 0) continue;
      nanos[to] = Buckets.lowest(i);
      counts[to++] = histogram.at(i);
    }
    return new BucketCounts(name, nanos, counts, histogram.max());
  }
}
