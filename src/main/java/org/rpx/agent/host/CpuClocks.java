package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.List;

/**
 * What the kernel lets the CPUs' clocks do; what they do at the moment is in {@link CpuClockNow}.
 *
 * @param governor that of every CPU, {@code mixed} where they differ
 * @param minMhz the lowest clock that any CPU may take, in MHz
 * @param maxMhz the highest clock that any CPU may take, in MHz
 */
record CpuClocks(String governor, Integer minMhz, Integer maxMhz) {
  private static final String CPU = "sys/devices/system/cpu/";
  private static final long MOST_KHZ = 100_000_000;

  /** Reads cpufreq; all null where there is none, as in most virtual machines. */
  static CpuClocks read(Tree tree) {
    String governor = null;
    Long min = null;
    Long max = null;
    for (String policy : policies(tree)) {
      String own = tree.text(policy + "/scaling_governor");
      if (own != null) {
        governor = governor == null || governor.equals(own) ? own : "mixed";
      }
      Long low = limit(tree, policy, "min");
      Long high = limit(tree, policy, "max");
      min = min == null || (low != null && low < min) ? low : min;
      max = max == null || (high != null && high > max) ? high : max;
    }
    return new CpuClocks(governor, mhz(min), mhz(max));
  }

  /** The clock that Intel's driver says all cores hold at once, in MHz; null elsewhere. */
  static Integer baseMhz(Tree tree) {
    Long base = null;
    for (String policy : policies(tree)) {
      Long own = tree.number(policy + "/base_frequency");
      base = base == null || (own != null && own < base) ? own : base;
    }
    return mhz(base);
  }

  /** One folder per group of CPUs with a common clock; per CPU on kernels that lack the groups. */
  static List<String> policies(Tree tree) {
    List<String> policies = new ArrayList<>();
    for (String name : tree.names(CPU + "cpufreq")) {
      if (name.startsWith("policy")) {
        policies.add(CPU + "cpufreq/" + name);
      }
    }
    if (policies.isEmpty()) {
      for (String name : tree.names(CPU)) {
        String folder = CPU + name + "/cpufreq";
        if (name.startsWith("cpu") && tree.exists(folder)) {
          policies.add(folder);
        }
      }
    }
    return policies;
  }

  /** What may be used now, a power mode's cap included; else what the hardware can do. */
  private static Long limit(Tree tree, String policy, String end) {
    Long now = tree.number(policy + "/scaling_" + end + "_freq");
    Long khz = now != null ? now : tree.number(policy + "/cpuinfo_" + end + "_freq");
    return khz == null || khz <= 0 || khz > MOST_KHZ ? null : khz;
  }

  private static Integer mhz(Long khz) {
    return khz == null ? null : (Integer) (int) Math.round(khz / 1000.0);
  }
}
