package org.rpx.agent;

import java.util.Optional;
import org.rpx.agent.engine.Device;
import org.rpx.agent.engine.DeviceEvents;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.monitor.LatencyMonitor;

/**
 * How long a device works for each cycle, without waiting for it: {@link #begin} and {@link #end}
 * record an event each on the device's current stream, {@link #collect} hands what is complete to a
 * monitor. A cycle that finds the ring full of others is an overrun: it is counted and has no
 * device time. On a device without timing events, as the CPU, all of them do nothing.
 *
 * <p>One thread, that of the loop. No method allocates or waits.
 */
public final class DeviceTimer implements AutoCloseable {
  private static final int MOST_PAIRS = 1 << 16;

  /** Null where there are none. */
  private final DeviceEvents events;

  private final String reason;
  private final long[] cycles;
  private boolean closed;
  private boolean open;
  private int oldest;
  private int pending;
  private long overruns;

  DeviceTimer(Device device, int pairs) {
    if (pairs < 1 || pairs > MOST_PAIRS)
      throw new IllegalArgumentException(pairs + " pairs of events: use 1 to " + MOST_PAIRS);
    cycles = new long[pairs];
    DeviceEvents made = null;
    String why = null;
    try {
      made = new DeviceEvents(device, pairs);
    } catch (NativeException e) {
      if (e.code() != NativeException.Code.UNSUPPORTED) throw e;
      why = e.getMessage();
    }
    events = made;
    reason = why;
  }

  /** Why there are no device times here; empty where there are. */
  public Optional<String> unsupported() {
    return Optional.ofNullable(reason);
  }

  /** What is enqueued from here on belongs to the cycle. */
  public void begin() {
    if (events == null) return;
    check();
    if (open) return; // its first event was recorded: the pair stays as it is
    if (pending == cycles.length) {
      overruns++;
      return;
    }
    events.start();
    open = true;
  }

  /**
   * What was enqueued since {@link #begin} is all of the cycle's.
   *
   * @param cycle what {@link LatencyMonitor#begin} returned for it
   */
  public void end(long cycle) {
    if (events == null || !open) return;
    check();
    open = false;
    events.end();
    cycles[(oldest + pending++) % cycles.length] = cycle;
  }

  /**
   * Hands the times that are complete to the monitor, whose writer this thread is; the rest stays
   * for the next call.
   *
   * @return how many
   */
  public int collect(LatencyMonitor monitor) {
    if (events == null) return 0;
    check();
    int collected = 0;
    while (pending > 0) {
      long nanos = events.collect();
      if (nanos < 0) break;
      monitor.device(cycles[oldest], nanos);
      oldest = (oldest + 1) % cycles.length;
      pending--;
      collected++;
    }
    return collected;
  }

  /** Cycles without a device time because the ring was full. */
  public long overruns() {
    return overruns;
  }

  private void check() {
    if (closed) throw new IllegalStateException("the device timer is closed");
  }

  /** Frees the events. A second call does nothing. */
  @Override
  public void close() {
    closed = true;
    if (events != null) events.close();
  }
}
