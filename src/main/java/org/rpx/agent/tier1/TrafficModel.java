package org.rpx.agent.tier1;

/** Which figure of memory traffic the table row and the roofline take. */
public enum TrafficModel {
  /** Parameters, inputs and outputs once each: no program can move less. */
  COMPULSORY,
  /** As an executor has it that folds pointwise work into the products before it. */
  FUSED,
  /** Op by op, as an eager executor has it. */
  UNFUSED,
  /** 12 bytes for each parameter, as the Python module {@code rpx_benchmark} guesses. */
  RPX
}
