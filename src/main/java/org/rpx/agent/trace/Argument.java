package org.rpx.agent.trace;

/**
 * One argument of a model's forward.
 *
 * @param type as TorchScript writes it: "Tensor", "Dict[str, Tensor]", "int" …
 */
public record Argument(String name, String type, boolean required) {}
