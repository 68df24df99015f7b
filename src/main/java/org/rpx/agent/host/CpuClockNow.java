package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The clocks that CPUs run at. {@code scaling_cur_freq} is the kernel's word, on some drivers the
 * clock that was asked for and not the one that runs; the hardware's own, {@code cpuinfo_cur_freq},
 * only root may read.
 */
final class CpuClockNow {
  /** Reading one may interrupt the CPU in question, so that not all of a large machine are read. */
  private static final int MOST = 16;

  private final Tree tree;
  private final List<String> files = new ArrayList<>();

  /** Looks for the clocks of CPUs that this process may run on. */
  CpuClockNow(Tree tree) {
    this.tree = tree;
    BitSet allowed = CpuSet.allowed(tree);
    for (String policy : CpuClocks.policies(tree)) {
      String cpus = tree.text(policy + "/affected_cpus");
      BitSet own = CpuSet.parse(cpus == null ? null : cpus.replace(' ', ','));
      boolean ours = allowed == null || own == null || own.intersects(allowed);
      if (ours && files.size() < MOST) {
        String hardware = policy + "/cpuinfo_cur_freq";
        files.add(tree.text(hardware) == null ? policy + "/scaling_cur_freq" : hardware);
      }
    }
  }

  /**
   * The highest of them in MHz: that of the busiest CPU, where idle ones are slowed down. Its
   * source tells which file it is from.
   */
  Reading highest() {
    return extreme("cpu.clock", 1);
  }

  /** The lowest of them in MHz. */
  Reading lowest() {
    return extreme("cpu.clock_lowest", -1);
  }

  private Reading extreme(String name, int sign) {
    Reading chosen =
        Reading.none(
            name,
            "MHz",
            "/sys/devices/system/cpu",
            State.UNSUPPORTED,
            "no cpufreq on this machine");
    for (String file : files) {
      Reading clock = Reading.number(tree, name, file, 1e-3, "MHz");
      boolean better =
          clock.number() != null
              && (chosen.number() == null || sign * clock.number() > sign * chosen.number());
      chosen = better || (chosen.number() == null && clock.number() == null) ? clock : chosen;
    }
    return chosen;
  }
}
