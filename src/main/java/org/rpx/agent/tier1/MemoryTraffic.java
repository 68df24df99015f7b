package org.rpx.agent.tier1;

/**
 * Modelled traffic between processor and memory in one forward call, in bytes: a bracket from what
 * has to move to what an eager executor moves. Nothing of it is measured.
 *
 * @param used the model that the row and the roofline take
 */
public record MemoryTraffic(
    Long compulsoryBytes, Long fusedBytes, Long unfusedBytes, Long rpxBytes, TrafficModel used) {

  /** The figure of the model in use; null where it is unknown. */
  public Long bytes() {
    return switch (used) {
      case COMPULSORY -> compulsoryBytes;
      case FUSED -> fusedBytes;
      case UNFUSED -> unfusedBytes;
      case RPX -> rpxBytes;
    };
  }
}
