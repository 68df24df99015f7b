package org.rpx.agent.monitor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Cycles into a mapped ring. One writer, wait-free, no allocation.
 *
 * <p>A record's number is 0 while it is written and comes last, so a reader or a kill in between
 * finds either a whole record or one that says that it is none.
 */
final class RingWriter {
  private static final int[] UNKNOWN = {Ring.BEGIN, Ring.LATENESS, Ring.DEVICE};
  private static final VarHandle LAST_MISS;

  static {
    try {
      LAST_MISS = MethodHandles.lookup().findVarHandle(RingWriter.class, "lastMiss", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ByteBuffer ring;
  private final int stages;
  private final int recordBytes;
  private final int capacity;
  private final long start;

  /** The checksum's share of all that is unknown of a cycle measured elsewhere. */
  private final long unknown;

  private int at = Ring.HEAD;
  private long lastMiss;
  private long missCount;
  private volatile boolean lost;

  /**
   * @param ring the whole file, mapped and touched
   * @param start the moment that begins are relative to
   */
  RingWriter(ByteBuffer ring, int stages, int capacity, long start) {
    this.ring = ring;
    this.stages = stages;
    this.capacity = capacity;
    this.start = start;
    recordBytes = Ring.recordBytes(stages);
    long sum = 0;
    for (int word : UNKNOWN) sum += Ring.part(word, Ring.NONE);
    for (int i = 0; i < stages; i++) sum += Ring.part(Ring.STAGES + i, Ring.NONE);
    unknown = sum;
  }

  /** The next cycle; they come with numbers from 1 on, none left out. */
  void write(
      long number,
      long begin,
      long duration,
      long lateness,
      long device,
      long misses,
      long missRun,
      long skipped,
      long[] ends) {
    if (lost) return;
    try {
      int to = open();
      long sum = put(to, Ring.BEGIN, begin - start);
      sum += put(to, Ring.DURATION, duration);
      sum += put(to, Ring.LATENESS, lateness);
      sum += put(to, Ring.DEVICE, device);
      for (int i = 0; i < stages; i++) {
        sum += put(to, Ring.STAGES + i, ends[i] == Ring.NONE ? Ring.NONE : ends[i] - begin);
      }
      close(to, sum, number, misses, missRun, skipped);
    } catch (InternalError e) {
      // The JVM's word for a page of the file that is gone: somebody cut it short.
      lost = true;
    }
  }

  /** The same of a cycle that was measured elsewhere: there is no more than its duration. */
  void write(long number, long duration, long misses, long missRun, long skipped) {
    if (lost) return;
    try {
      int to = open();
      for (int word : UNKNOWN) Ring.LONG.set(ring, to + 8 * word, Ring.NONE);
      for (int i = 0; i < stages; i++) {
        Ring.LONG.set(ring, to + 8 * (Ring.STAGES + i), Ring.NONE);
      }
      long sum = unknown + put(to, Ring.DURATION, duration);
      close(to, sum, number, misses, missRun, skipped);
    } catch (InternalError e) {
      lost = true;
    }
  }

  /** Where the next record goes; it is none until it is closed. */
  private int open() {
    Ring.LONG.setOpaque(ring, at, 0L);
    VarHandle.storeStoreFence();
    return at;
  }

  private void close(int to, long sum, long number, long misses, long missRun, long skipped) {
    sum += Ring.part(Ring.NUMBER, number);
    sum += put(to, Ring.MISSES, misses);
    sum += put(to, Ring.SKIPPED, skipped);
    sum += put(to, Ring.MISS_RUN, missRun);
    Ring.LONG.set(ring, to + 8 * Ring.CHECK, sum);
    Ring.LONG.setRelease(ring, to, number);
    int next = to + recordBytes;
    at = next == Ring.HEAD + recordBytes * capacity ? Ring.HEAD : next;
    if (missRun > 0) {
      missCount = misses;
      LAST_MISS.setRelease(this, number);
    }
  }

  private long put(int record, int word, long value) {
    Ring.LONG.set(ring, record + 8 * word, value);
    return Ring.part(word, value);
  }

  /** Adds the device time of a cycle that ended, where it is still here. */
  void device(long number, long nanos) {
    if (lost) return;
    try {
      int to = Ring.HEAD + (int) ((number - 1) % capacity) * recordBytes;
      if (Ring.word(ring, to, Ring.NUMBER) != number) return;
      long sum = Ring.word(ring, to, Ring.CHECK);
      sum += Ring.part(Ring.DEVICE, nanos);
      sum -= Ring.part(Ring.DEVICE, Ring.word(ring, to, Ring.DEVICE));
      Ring.LONG.setOpaque(ring, to, 0L);
      VarHandle.storeStoreFence();
      Ring.LONG.set(ring, to + 8 * Ring.DEVICE, nanos);
      Ring.LONG.set(ring, to + 8 * Ring.CHECK, sum);
      Ring.LONG.setRelease(ring, to, number);
    } catch (InternalError e) {
      lost = true;
    }
  }

  /** The last cycle that missed its deadline; 0 before there is one. Any thread. */
  long lastMiss() {
    return (long) LAST_MISS.getAcquire(this);
  }

  /** How many there were, up to {@link #lastMiss} or a little later. Any thread. */
  long missCount() {
    LAST_MISS.getAcquire(this);
    return missCount;
  }

  /** Whether the file's memory was found to be gone. Any thread. */
  boolean lost() {
    return lost;
  }
}
