package org.rpx.agent.host;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.List;

/**
 * What the machine is and how it is set, as read at one moment. Each may be null: not known here.
 * Immutable.
 *
 * @param cpuName the processor's model
 * @param logicalCores logical CPUs that are switched on
 * @param coresAllowed logical CPUs that this process may run on
 * @param coresAvailable how many CPUs' worth of time this process may take: {@code coresAllowed}
 *     or, where smaller, the container's quota, which may be a fraction
 * @param ramBytes the machine's memory, whatever a container's limit
 * @param memoryAvailableBytes what new work could take without swapping, page cache given up
 * @param swapTotalBytes swap space, zram included
 * @param swapFreeBytes swap space not in use
 * @param os name, release and kernel
 * @param kernel the kernel's release
 * @param governor of the CPUs' clocks, {@code mixed} where they differ
 * @param minMhz the lowest clock allowed, in MHz
 * @param maxMhz the highest clock allowed, in MHz
 * @param containerLimits of the control group in words; null where there are none
 * @param l4t the release of Jetson Linux
 * @param board the board's name
 * @param powerMode of a Jetson, by name and id
 * @param nvidiaDriver the version of NVIDIA's kernel driver
 * @param loadAverage runnable and waiting threads, mean over 1, 5 and 15 minutes
 * @param uptimeSeconds since boot, in s
 */
public record HostFacts(
    String cpuName,
    Integer logicalCores,
    Integer coresAllowed,
    Double coresAvailable,
    Long ramBytes,
    Long memoryAvailableBytes,
    Long swapTotalBytes,
    Long swapFreeBytes,
    String os,
    String kernel,
    String governor,
    Integer minMhz,
    Integer maxMhz,
    String containerLimits,
    String l4t,
    String board,
    String powerMode,
    String nvidiaDriver,
    List<Double> loadAverage,
    Long uptimeSeconds) {

  /**
   * Reads the machine. Never throws: what cannot be read is null.
   *
   * @param root {@code /}, or a folder that holds a Linux machine's {@code proc}, {@code sys},
   *     {@code etc} and {@code var}. Where {@code /} has no Linux {@code proc}, OSHI is asked
   */
  public static HostFacts read(Path root) {
    Tree tree = new Tree(root);
    // OSHI loads native code, which takes longer than all else here: the last resort.
    return tree.isThisMachine() && !tree.exists("proc/meminfo")
        ? OshiFacts.read()
        : LinuxFacts.read(tree);
  }

  /**
   * How much memory new work can take before the kernel ends a process for it, in bytes:
   * MemAvailable, or where smaller what the control groups leave, their limit less what is in use;
   * file pages that could be dropped are not counted as used. Null where neither is known. Never
   * throws.
   *
   * @param root as in {@link #read}, though OSHI is not asked
   */
  public static Long memoryRoomBytes(Path root) {
    return MemoryRoom.bytes(new Tree(root));
  }

  /** How many CPUs' worth of time this process may take; null if unknown. */
  static Double coresAvailable(Tree tree) {
    return tree.isThisMachine() && !tree.exists("proc/meminfo")
        ? (Double) (double) Runtime.getRuntime().availableProcessors()
        : LinuxFacts.available(CpuSet.allowed(tree), CgroupLimits.read(tree, null).cores());
  }

  /** Bytes in GiB to 1 place, by Python's {@code round}: half to even on the exact value. */
  static double gib(long bytes) {
    double gib = (double) bytes / (1L << 30);
    return new BigDecimal(gib).setScale(1, RoundingMode.HALF_EVEN).doubleValue();
  }
}
