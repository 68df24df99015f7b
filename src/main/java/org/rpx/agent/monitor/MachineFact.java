package org.rpx.agent.monitor;

/**
 * One reading of a machine.
 *
 * @param name as "thread_major_faults"; those that reports draw causes from are in docs/blackbox.md
 * @param unit as "1", "ns", "kHz", "m°C"
 * @param counter whether it only grows, so that differences mean something
 * @param value null where it is unknown
 * @param why the reason, where it is
 */
public record MachineFact(String name, String unit, boolean counter, Long value, String why) {
  /** A reading that grows. */
  public static MachineFact counter(String name, String unit, long value) {
    return new MachineFact(name, unit, true, value, null);
  }

  /** A reading that goes up and down. */
  public static MachineFact gauge(String name, String unit, long value) {
    return new MachineFact(name, unit, false, value, null);
  }

  /** One that there is none of here. */
  public static MachineFact unknown(String name, String unit, String why) {
    return new MachineFact(name, unit, false, null, why);
  }
}
