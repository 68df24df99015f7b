package org.rpx.agent.exported;

/** A tensor of a graph, by name. */
record Reference(String name) {}
