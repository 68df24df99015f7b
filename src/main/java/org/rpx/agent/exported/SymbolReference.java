package org.rpx.agent.exported;

/** A number of a graph that its sizes decide, by name. */
record SymbolReference(String name) {}
