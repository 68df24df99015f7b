package org.rpx.agent.host;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/** The processor's model from {@code /proc/cpuinfo}; never the mere name of an architecture. */
final class CpuName {
  private CpuName() {}

  /**
   * The model, as {@code Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz} or, from ARM's numbers, {@code
   * ARM Cortex-A78AE (NVIDIA Jetson AGX Orin Developer Kit)}; null if unknown.
   *
   * @param board the name of the board, or null
   */
  static String read(Tree tree, String board) {
    Set<String> cores = new LinkedHashSet<>();
    String implementer = null;
    String model = null;
    for (String line : tree.lines("proc/cpuinfo")) {
      int colon = line.indexOf(':');
      if (colon < 0 && model != null && cores.isEmpty()) {
        break; // The first CPU's block ends, and the others' say the same. ARM's may differ.
      } else if (colon < 0) {
        continue;
      }
      String value = line.substring(colon + 1).strip();
      switch (line.substring(0, colon).strip().toLowerCase(Locale.ROOT)) {
        case "cpu implementer" -> implementer = value;
        case "cpu part" -> {
          if (implementer != null) {
            cores.add(ArmCores.name(implementer, value));
          }
        }
        // x86 and LoongArch, MIPS, POWER, RISC-V.
        case "model name", "cpu model", "cpu", "uarch" -> model = model == null ? value : model;
        default -> {}
      }
    }
    if (!cores.isEmpty()) {
      // First: for a model, ARM kernels say "ARMv8 Processor rev 1 (v8l)", whatever the core.
      return String.join(" + ", cores) + (board == null ? "" : " (" + board + ")");
    }
    return model == null || model.isEmpty() || model.equalsIgnoreCase("unknown")
        ? null
        : model.replaceAll("\\s+", " ");
  }
}
