package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a package was compiled for, against machines that are and are not such. */
class TargetTest {
  private static final Set<String> AVX2 = Set.of("sse2", "avx", "avx2", "fma", "f16c");

  private static Target target(
      String device, String platform, String machine, String isa, int elf) {
    return new Target(device, platform, machine, isa, elf);
  }

  @Test
  void itsOwnMachineMatches() {
    Target target = target("cpu", "linux", "x86_64", "AVX2", 62);

    assertThat(target.mismatch("cpu", "Linux", "amd64", AVX2)).isNull();
    // Where the kernel does not tell what the processor can do, nothing speaks against it.
    assertThat(target.mismatch("cpu", "Linux", "amd64", Set.of())).isNull();
    assertThat(
            target("cpu", "linux", "aarch64", "ASIMD", 183)
                .mismatch("cpu", "Linux", "aarch64", Set.of("fp")))
        .isNull();
    assertThat(new Target(null, null, null, null, null).mismatch("cpu", "Linux", "amd64", AVX2))
        .isNull();
  }

  /** e_machine: 62 is x86-64, 183 is AArch64, 243 is RISC-V (the ELF specification's list). */
  @ParameterizedTest
  @CsvSource({
    "cuda, linux, x86_64, AVX2, 62, cpu, Linux, amd64, 'cuda, and it is to run on cpu'",
    "cpu, darwin, arm64, ASIMD, 183, cpu, Linux, aarch64, 'darwin, and this is linux'",
    "cpu, linux, aarch64, ASIMD, 183, cpu, Linux, amd64, 'aarch64, and this is x86_64'",
    "cpu, linux, x86_64, AVX2, 62, cpu, Linux, aarch64, 'x86_64, and this is aarch64'",
    "cpu, linux, x86_64, AVX2, 183, cpu, Linux, amd64, 'aarch64, and this is x86_64'",
    "cpu, linux, x86_64, AVX2, 243, cpu, Linux, amd64, 'riscv64, and this is x86_64'",
    "cpu, linux, x86_64, AVX512, 62, cpu, Linux, amd64, 'AVX512, and this processor has no avx512bw, avx512dq, avx512f, avx512vl'",
    "cpu, linux, x86_64, AVX512 AVX512_VNNI, 62, cpu, Linux, amd64, 'AVX512 AVX512_VNNI, and this processor has no avx512_vnni, avx512bw, avx512dq, avx512f, avx512vl'",
  })
  void anotherMachineIsNamed(
      String device,
      String platform,
      String machine,
      String isa,
      int elf,
      String on,
      String os,
      String arch,
      String says) {
    assertThat(target(device, platform, machine, isa, elf).mismatch(on, os, arch, AVX2))
        .isEqualTo(says);
  }
}
