package org.rpx.agent.tier1;

/**
 * What the tensors that a forward call makes take, in bytes; inputs, parameters and buffers are not
 * among them, views and in-place results are their base's memory.
 *
 * @param livenessPeakBytes the most that is alive at once: from the op that makes a tensor to the
 *     last that uses it
 * @param livenessPeakFp16Bytes the same at 2 bytes an element
 * @param totalOutputBytes every new tensor once
 * @param peakOp the op during which the peak is first reached; null where nothing is made
 * @param peakModule its module's path; null where it is not known
 */
public record ActivationMemory(
    Long livenessPeakBytes,
    Long livenessPeakFp16Bytes,
    Long totalOutputBytes,
    String peakOp,
    String peakModule) {}
