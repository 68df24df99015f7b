package org.rpx.agent.host;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Names of ARM cores by the two numbers of the main ID register, which are all that Linux tells.
 * The numbers are those of ARM's technical reference manuals and of the kernel's {@code cputype.h}.
 */
final class ArmCores {
  private static final Map<String, String> NAMES = new HashMap<>();

  static {
    vendor(
        "0x41",
        "ARM",
        "d03 Cortex-A53",
        "d04 Cortex-A35",
        "d05 Cortex-A55",
        "d07 Cortex-A57",
        "d08 Cortex-A72",
        "d09 Cortex-A73",
        "d0a Cortex-A75",
        "d0b Cortex-A76",
        "d0c Neoverse-N1",
        "d0d Cortex-A77",
        "d0e Cortex-A76AE",
        "d40 Neoverse-V1",
        "d41 Cortex-A78",
        "d42 Cortex-A78AE",
        "d44 Cortex-X1",
        "d46 Cortex-A510",
        "d47 Cortex-A710",
        "d48 Cortex-X2",
        "d49 Neoverse-N2",
        "d4b Cortex-A78C",
        "d4d Cortex-A715",
        "d4e Cortex-X3",
        "d4f Neoverse-V2",
        "d80 Cortex-A520",
        "d81 Cortex-A720",
        "d82 Cortex-X4",
        "d83 Neoverse-V3AE",
        "d84 Neoverse-V3",
        "d85 Cortex-X925",
        "d87 Cortex-A725",
        "d8e Neoverse-N3");
    vendor("0x4e", "NVIDIA", "000 Denver", "003 Denver 2", "004 Carmel");
    vendor("0x48", "HiSilicon", "d01 TaiShan v110");
    vendor("0x46", "Fujitsu", "001 A64FX");
    vendor("0xc0", "Ampere", "ac3 Ampere-1", "ac4 Ampere-1a");
  }

  private ArmCores() {}

  /** The core's vendor and name, or its two numbers where the table lacks it. */
  static String name(String implementer, String part) {
    String key = (implementer + " " + part).toLowerCase(Locale.ROOT);
    return NAMES.getOrDefault(key, "CPU implementer " + implementer + " part " + part);
  }

  private static void vendor(String implementer, String vendor, String... cores) {
    for (String core : cores) {
      NAMES.put(implementer + " 0x" + core.substring(0, 3), vendor + core.substring(3));
    }
  }
}
