package org.rpx.agent.measure;

/**
 * What is measured on an accelerator beside the samples: those are durations between two events on
 * the device's stream, or of forwards that were waited for where it has no timing events.
 *
 * @param noEvents why the device's events were not taken; null where they were
 * @param enqueueNs the host's part of each timed forward: until it had handed the work over; null
 *     without events
 * @param wallNs forwards in runs of their own that were waited for, from the call to the end of the
 *     work
 * @param floorMs the median that the events measure with nothing between them; null without events
 * @param toDevice of the inputs
 * @param fromDevice of the outputs
 */
public record DeviceTimes(
    String noEvents,
    long[] enqueueNs,
    long[] wallNs,
    Double floorMs,
    Transfer toDevice,
    Transfer fromDevice) {
  private static final double NS_PER_MS = 1e6;

  /**
   * Copies of all tensors of the inputs or outputs between host and device. Medians in ms; null
   * with the reason where they could not be made.
   */
  public record Transfer(long bytes, Double pinnedMs, Double pageableMs, String reason) {}

  /** Null where nothing was enqueued. */
  public Double enqueueMs(double percent) {
    return percentile(enqueueNs, percent);
  }

  /** Null where nothing was waited for. */
  public Double wallMs(double percent) {
    return percentile(wallNs, percent);
  }

  private static Double percentile(long[] ns, double percent) {
    return ns == null || ns.length == 0 ? null : Statistics.of(ns).percentile(percent) / NS_PER_MS;
  }
}
