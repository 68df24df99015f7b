package org.rpx.agent.exported;

/** A graph that is an argument of a node. */
record Subgraph(String name, Graph graph) {}
