package org.rpx.agent.monitor;

/**
 * Something that took the machine's time.
 *
 * @param kind "gc_pause", or another word of one's own
 * @param beginNanos as {@link System#nanoTime}
 * @param endNanos likewise
 * @param detail for people
 */
public record MachineEvent(String kind, long beginNanos, long endNanos, String detail) {}
