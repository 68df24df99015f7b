package org.rpx.agent.measure;

/** Where the peak memory of one backend can be read. */
public interface PeakSource {
  /** Starts a new peak: what was held before no longer counts. */
  void reset();

  /** The most memory held since {@link #reset()}, in MiB, or null where it cannot be read. */
  Double peakMb();

  /** Why the peak is unknown, or how it falls short of a high water; null where neither is so. */
  default String note() {
    return null;
  }
}
