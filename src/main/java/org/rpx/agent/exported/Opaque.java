package org.rpx.agent.exported;

/**
 * A value of a kind that is not known here: complex numbers, objects of custom classes, what newer
 * files may hold. No count depends on it, and it cannot be run.
 *
 * @param kind as the file names it: "as_complex"
 */
record Opaque(String kind) {}
