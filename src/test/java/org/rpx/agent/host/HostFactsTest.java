package org.rpx.agent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostFactsTest {
  @TempDir Path root;

  @Test
  void readsAServer() {
    assertThat(HostFacts.read(Recorded.machine("x86-server")))
        .isEqualTo(
            new HostFacts(
                "Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz",
                8,
                8,
                8.0,
                263_751_328L * 1024,
                209_715_200L * 1024,
                8_388_604L * 1024,
                8_388_604L * 1024,
                "Ubuntu 22.04.4 LTS, Linux 5.15.0-116-generic",
                "5.15.0-116-generic",
                "mixed",
                800,
                3200, // policy4 has no scaling_max_freq, so what its hardware can do
                null,
                null,
                null,
                null,
                "535.104.05",
                List.of(1.52, 0.98, 0.40),
                86_401L));
  }

  @Test
  void limitsAContainerByItsQuota() {
    HostFacts host = HostFacts.read(Recorded.machine("container-quota"));

    assertThat(host.cpuName()).isEqualTo("AMD EPYC 7763 64-Core Processor");
    assertThat(host.logicalCores()).isEqualTo(64);
    assertThat(host.coresAllowed()).isEqualTo(4);
    assertThat(host.coresAvailable()).isEqualTo(2.5);
    assertThat(host.containerLimits()).isEqualTo("2.5 cores, 4.0 GiB");
    assertThat(host.swapTotalBytes()).isZero();
    assertThat(host.os()).isEqualTo("Alpine Linux v3.20, Linux 6.1.0-21-amd64");
    assertThat(host.governor()).isNull();
    assertThat(host.maxMhz()).isNull();
    assertThat(host.nvidiaDriver()).isNull();
    assertThat(host.loadAverage()).isNull();
    assertThat(host.uptimeSeconds()).isNull();
  }

  @Test
  void readsAJetson() {
    HostFacts host = HostFacts.read(Recorded.machine("jetson-agx-orin"));

    assertThat(host.cpuName()).isEqualTo("ARM Cortex-A78AE (NVIDIA Jetson AGX Orin Developer Kit)");
    assertThat(host.board()).isEqualTo("NVIDIA Jetson AGX Orin Developer Kit");
    assertThat(host.l4t()).isEqualTo("R36.4.3");
    assertThat(host.powerMode()).isEqualTo("MODE_30W (id 2)");
    assertThat(host.logicalCores()).isEqualTo(8);
    assertThat(host.coresAllowed()).as("the mask names 12, of which 4 are off").isEqualTo(8);
    assertThat(host.governor()).isEqualTo("schedutil");
    assertThat(host.minMhz()).isEqualTo(730);
    assertThat(host.maxMhz()).as("the power mode's cap").isEqualTo(1728);
    assertThat(host.nvidiaDriver()).isEqualTo("540.4.0");
    assertThat(host.containerLimits()).isNull();
  }

  @Test
  void namesTheModeByIdWhereItHasNoName() {
    Recorded.write(root, "var/lib/nvpmodel/status", "pmode:0000\n");

    assertThat(HostFacts.read(root).powerMode()).isEqualTo("id 0");
  }

  @Test
  void namesEveryKindOfCore() {
    String denver = "CPU implementer\t: 0x4e\nCPU part\t: 0x003\n\n";
    String arm = "CPU implementer\t: 0x41\nCPU part\t: 0xd07\n\n";
    Recorded.write(root, "proc/cpuinfo", arm + denver + denver + arm);
    assertThat(HostFacts.read(root).cpuName()).isEqualTo("ARM Cortex-A57 + NVIDIA Denver 2");

    Recorded.write(root, "proc/cpuinfo", "CPU implementer\t: 0x99\nCPU part\t: 0xabc\n");
    assertThat(HostFacts.read(root).cpuName()).isEqualTo("CPU implementer 0x99 part 0xabc");
  }

  @Test
  void readsTheStrictestOfNestedGroupsOfVersion1() {
    Recorded.write(root, "proc/self/cgroup", "4:cpu,cpuacct:/a/b\n3:memory:/not/mounted\n");
    Recorded.write(root, "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    Recorded.write(root, "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    Recorded.write(root, "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "150000\n");
    Recorded.write(root, "sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
    Recorded.write(root, "sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us", "200000\n");
    Recorded.write(root, "sys/fs/cgroup/cpu/a/b/cpu.cfs_period_us", "50000\n");
    Recorded.write(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    Recorded.write(root, "proc/self/status", "Cpus_allowed_list:\t0,2-3\n");

    assertThat(HostFacts.read(root).containerLimits()).isEqualTo("1.5 cores");
    assertThat(HostFacts.read(root).coresAllowed()).isEqualTo(3);
    assertThat(HostFacts.read(root).coresAvailable()).isEqualTo(1.5);
  }

  /** Every file that is read, holding what no kernel writes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "\0\0",
        ":",
        "::::::",
        "-1",
        "0-",
        "5-2",
        "99999999999999999999",
        "NaN NaN NaN",
        "max",
        "max max",
        "MemTotal:\nSwapTotal: x kB",
        "Cpus_allowed_list: ,",
        "cpu\ncpu0 1",
        "PRETTY_NAME=",
        "0:::/../../..",
        "model name\t:\n",
        "CPU part : 0xd42",
        ")",
        "# R36 (rel",
        "pmode:",
        "NVRM version: NVIDIA UNIX",
        "Linux version ",
        "\uD83D\uDE00"
      })
  void makesNothingOfGarbage(String garbage) {
    for (String path :
        List.of(
            "proc/cpuinfo",
            "proc/meminfo",
            "proc/stat",
            "proc/loadavg",
            "proc/uptime",
            "proc/version",
            "proc/self/status",
            "proc/self/stat",
            "proc/self/cgroup",
            "proc/self/cmdline",
            "proc/self/task/1/status",
            "proc/self/task/1/comm",
            "proc/driver/nvidia/version",
            "etc/os-release",
            "etc/nv_tegra_release",
            "etc/nvpmodel.conf",
            "var/lib/nvpmodel/status",
            "sys/fs/cgroup/cpu.max",
            "sys/fs/cgroup/memory.max",
            "sys/fs/cgroup/cpu/cpu.cfs_quota_us",
            "sys/fs/cgroup/cpu/cpu.cfs_period_us",
            "sys/devices/system/cpu/online",
            "sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq",
            "sys/devices/system/cpu/cpufreq/policy0/scaling_min_freq")) {
      Recorded.write(root, path, garbage);
    }
    HostFacts host = HostFacts.read(root);

    assertThat(host)
        .extracting(
            HostFacts::cpuName,
            HostFacts::ramBytes,
            HostFacts::swapTotalBytes,
            HostFacts::coresAllowed,
            HostFacts::logicalCores,
            HostFacts::minMhz,
            HostFacts::maxMhz,
            HostFacts::loadAverage,
            HostFacts::uptimeSeconds,
            HostFacts::os,
            HostFacts::l4t,
            HostFacts::powerMode,
            HostFacts::nvidiaDriver)
        .containsOnly((Object) null);
    Load load = LoadProbe.start(root, () -> 0).stop();
    assertThat(load).isEqualTo(new Load(null, null, null, 0, null));
  }

  @Test
  void knowsNothingOfAnEmptyFolderNorOfOneThatIsMissing() {
    for (Path folder : List.of(root, root.resolve("missing"))) {
      assertThat(HostFacts.read(folder).toString().replaceAll("\\w+=null", ""))
          .isEqualTo("HostFacts[" + ", ".repeat(19) + "]");
    }
  }

  @Test
  void readsThisMachine() {
    HostFacts host = HostFacts.read(Path.of("/"));

    assertThat(host.cpuName()).isNotBlank().doesNotMatch("x86_64|amd64|aarch64|i?386");
    assertThat(host.ramBytes()).isPositive();
    assertThat(host.coresAvailable()).isPositive();
    assertThat(host.os()).isNotBlank();
  }

  /** Where Linux' files answer too, OSHI must agree on what cannot move between two readings. */
  @Test
  void readsTheSameThroughOshi() {
    HostFacts oshi = OshiFacts.read();
    HostFacts host = HostFacts.read(Path.of("/"));

    assertThat(oshi.ramBytes()).isEqualTo(host.ramBytes());
    assertThat(oshi.logicalCores()).isEqualTo(host.logicalCores());
    assertThat(oshi.swapTotalBytes()).isEqualTo(host.swapTotalBytes());
    assertThat(oshi.os()).isNotBlank();
    assertThat(CpuTimes.sum(OshiFacts.times(List.of()).busy())).isPositive();
    assertThat(OshiFacts.times(List.of()).own()).isPositive();
  }
}
