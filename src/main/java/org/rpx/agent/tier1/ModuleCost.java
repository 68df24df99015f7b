package org.rpx.agent.tier1;

/**
 * What the calls of one module cost, those of the modules in it included; the root is "", and holds
 * everything.
 *
 * @param path dotted: "layer1.0.conv1"
 * @param calls of ops
 * @param flops of the counted ops
 * @param bytes modelled memory traffic, op by op (unfused)
 */
public record ModuleCost(String path, long calls, long flops, long bytes) {}
