package org.rpx.agent.host;

/**
 * Who kept the CPUs busy during a stretch of time. Null is unknown. The three core counts are null
 * for stretches below {@value LoadProbe#MIN_SECONDS} s, which the kernel's clock cannot resolve.
 *
 * @param othersCores mean number of cores that other processes, and the kernel's interrupt work,
 *     kept busy
 * @param stealCores mean number of cores that the hypervisor gave to other virtual machines while
 *     this one wanted them
 * @param ownCores mean number of cores that this process kept busy, all its threads together
 * @param seconds how long the stretch was
 * @param involuntarySwitches how often a thread of this process was put off a core that it still
 *     wanted; threads that ended before the stretch did are not counted
 */
public record Load(
    Double othersCores,
    Double stealCores,
    Double ownCores,
    double seconds,
    Long involuntarySwitches) {
  /** Of the cores, kept busy by others: less is below what one run differs from the next anyway. */
  public static final double CONTENDED_SHARE = 0.1;
}
