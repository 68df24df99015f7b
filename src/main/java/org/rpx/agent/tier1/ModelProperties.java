package org.rpx.agent.tier1;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tier 1: what one forward call of a model needs, the same on any hardware. Counts are exact
 * integers; a count that is not known is null.
 *
 * @param params distinct parameters, frozen or not, tied ones once (elements)
 * @param trainableParams those of them that want a gradient
 * @param buffers elements of distinct registered buffers
 * @param flops floating-point operations of the counted ops, 2 per multiply-accumulate; a lower
 *     bound unless {@code flopsComplete}
 * @param macs half of {@code flops}
 * @param flopsComplete whether every op that ran is either counted or free by definition
 * @param flopsByOp FLOPs by op as the program wrote it, largest first
 * @param uncountedOps ops that are neither counted nor free, with their calls
 * @param compulsoryBytes distinct parameters, inputs and outputs, once each: the least that has to
 *     cross the memory bus
 * @param activationPeakBytes the most that activations hold at once: alive from the op that makes
 *     them to their last use, views and in-place results as their base; inputs, parameters and
 *     buffers excluded
 * @param activationPeakFp16Bytes the same at 2 bytes an element
 * @param precision the floating-point type that the weights have (or the inputs, where there are no
 *     weights): fp32, fp16, bf16, fp64, or int8 where weights are packed; null where none is known
 */
public record ModelProperties(
    Long params,
    Long trainableParams,
    Long buffers,
    Long flops,
    Long macs,
    boolean flopsComplete,
    Map<String, Long> flopsByOp,
    Map<String, Long> uncountedOps,
    Long compulsoryBytes,
    Long activationPeakBytes,
    Long activationPeakFp16Bytes,
    String precision) {

  public ModelProperties {
    flopsByOp = Collections.unmodifiableMap(new LinkedHashMap<>(flopsByOp));
    uncountedOps = Collections.unmodifiableMap(new LinkedHashMap<>(uncountedOps));
  }

  /** FLOPs per compulsory byte; null where either is unknown or no byte moves. */
  public Double arithmeticIntensity() {
    return flops == null || compulsoryBytes == null || compulsoryBytes == 0
        ? null
        : (double) flops / compulsoryBytes;
  }
}
