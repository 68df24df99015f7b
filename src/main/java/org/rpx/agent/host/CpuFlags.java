package org.rpx.agent.host;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the processor can do, from {@code /proc/cpuinfo}: instruction sets by the kernel's names.
 */
public final class CpuFlags {
  private CpuFlags() {}

  /**
   * {@code avx2}, {@code avx512f}, {@code sve} and the like; empty where the machine does not tell.
   * Never throws.
   *
   * @param root {@code /}, or a folder that holds a Linux machine's {@code proc}
   */
  public static Set<String> read(Path root) {
    for (String line : new Tree(root).lines("proc/cpuinfo")) {
      int colon = line.indexOf(':');
      String key = colon < 0 ? "" : line.substring(0, colon).strip();
      // x86 says flags, ARM Features. All CPUs of a machine have the first one's.
      if (key.equals("flags") || key.equals("Features"))
        return new HashSet<>(List.of(line.substring(colon + 1).strip().split("\\s+")));
    }
    return Set.of();
  }
}
