package org.rpx.agent.trace;

/**
 * A tensor that belongs to the model.
 *
 * @param kind "parameter", "buffer", "constant" (of a graph), "packed" (of a quantised layer)
 * @param name dotted path; "" for a constant
 */
public record Weight(String kind, String name, boolean requiresGrad, TensorInfo tensor) {}
