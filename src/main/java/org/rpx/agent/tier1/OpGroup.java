package org.rpx.agent.tier1;

/**
 * Calls of one op that cost the same each; the figures are of all of them together.
 *
 * @param op with its namespace: "aten::conv2d"
 * @param dtype what it reckons in: its first floating-point tensor's type, "int8" for quantised
 *     products; null for an op without tensors
 * @param flops 0 where the op is free, null where it is unknown
 * @param bytes modelled memory traffic, op by op (unfused); null where it is not known
 */
public record OpGroup(String op, String dtype, long calls, Long flops, Long bytes) {
  /**
   * Which of a GPU's peaks it runs against: "fp32" of "float32", "int8" of any 8-bit integer; null
   * for a type that no GPU has a peak for.
   */
  public String precision() {
    return Precision.name(dtype);
  }
}
