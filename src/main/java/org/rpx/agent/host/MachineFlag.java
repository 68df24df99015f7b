package org.rpx.agent.host;

/**
 * Something that the machine did, or how it is set, which spoils a measurement on it.
 *
 * @param finding what is so
 * @param remedy what to do about it
 */
public record MachineFlag(Code code, String finding, String remedy) {

  /** The finding, and after a colon the remedy. */
  public String message() {
    return finding + ": " + remedy;
  }

  /** The closed list. */
  public enum Code {
    /** A clock fell far below what it was, or could be, while the run lasted. */
    CLOCK_DRIFT,
    /** The hardware slowed itself down: heat, current or power. */
    THROTTLED,
    /** Other load, a quota, or more threads than cores. */
    OVERSUBSCRIBED,
    /** Java's memory was tidied up meanwhile. */
    GC_DURING_RUN,
    /** Memory was moved to and from swap. */
    SWAPPING,
    /** The CPUs' clocks follow the load. */
    GOVERNOR
  }
}
