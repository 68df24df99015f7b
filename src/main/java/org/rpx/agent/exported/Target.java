package org.rpx.agent.exported;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What an AOTInductor package was compiled for, as its metadata and the head of its library say;
 * null is unknown. Immutable.
 *
 * @param device {@code cpu}, {@code cuda}
 * @param platform Python's {@code sys.platform}: {@code linux}, {@code darwin}
 * @param machine Python's {@code platform.machine()}: {@code x86_64}, {@code aarch64}
 * @param isa vector instructions: {@code AVX2}, {@code AVX512 AVX512_VNNI}
 * @param elfMachine {@code e_machine} of the library's ELF header
 */
public record Target(
    String device, String platform, String machine, String isa, Integer elfMachine) {

  private static final Map<Integer, String> ELF_MACHINES =
      Map.of(
          3, "x86", 21, "ppc64le", 22, "s390x", 40, "arm", 62, "x86_64", 183, "aarch64", 243,
          "riscv64");

  /** What torch compiles with for each name, as the Linux kernel calls it. */
  private static final Map<String, List<String>> FLAGS =
      Map.of(
          "AVX2", List.of("avx2", "fma", "f16c"),
          "AVX512", List.of("avx512f", "avx512dq", "avx512vl", "avx512bw", "fma"),
          "AVX512_VNNI", List.of("avx512_vnni"),
          "AMX_TILE", List.of("amx_tile", "amx_bf16", "amx_int8"),
          "SVE", List.of("sve"));

  /**
   * Why it cannot run here, in words that follow "it was compiled for"; null where nothing speaks
   * against it.
   *
   * @param device that it is to run on, {@code cpu}
   * @param os Java's {@code os.name}
   * @param arch Java's {@code os.arch}
   * @param cpuFlags of this processor, by the kernel's names; empty where not known
   */
  public String mismatch(String device, String os, String arch, Set<String> cpuFlags) {
    String here = machineOf(arch);
    String ours =
        os.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : os.toLowerCase(Locale.ROOT);
    if (this.device != null && !this.device.equals(device.replaceAll(":.*", "")))
      return this.device + ", and it is to run on " + device;
    if (platform != null && !platform.equals(ours)) return platform + ", and this is " + ours;
    if (machine != null && !machineOf(machine).equals(here))
      return machine + ", and this is " + here;
    if (elfMachine != null) {
      String name = ELF_MACHINES.getOrDefault(elfMachine, "machine " + elfMachine + " of ELF");
      if (!name.equals(here)) return name + ", and this is " + here;
    }
    Set<String> missing = missing(cpuFlags);
    return missing.isEmpty()
        ? null
        : isa + ", and this processor has no " + String.join(", ", missing);
  }

  private Set<String> missing(Set<String> cpuFlags) {
    Set<String> missing = new TreeSet<>();
    if (isa == null || cpuFlags.isEmpty()) return missing;
    for (String name : isa.split("\\s+")) missing.addAll(FLAGS.getOrDefault(name, List.of()));
    missing.removeAll(cpuFlags);
    return missing;
  }

  private static String machineOf(String arch) {
    return switch (arch.toLowerCase(Locale.ROOT)) {
      case "amd64", "x86_64" -> "x86_64";
      case "arm64", "aarch64" -> "aarch64";
      default -> arch.toLowerCase(Locale.ROOT);
    };
  }
}
