package org.rpx.agent.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ProbesTest {
  @TempDir private Path root;

  private void file(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static Map<String, MachineFact> facts(MachineProbe probe) {
    return probe.facts().stream().collect(Collectors.toMap(MachineFact::name, f -> f));
  }

  /** A recorded tree, in the forms of proc_pid_stat(5), cgroups(7) and the kernel's hwmon. */
  @Test
  void aRecordedTree() throws IOException {
    Path task = root.resolve("proc/71/task/83");
    file("proc/71/task/83/stat", "83 (my (odd) loop) S 1 71 71 0 -1 4194368 123 4 56 7 9 1 0 0\n");
    file(
        "proc/71/task/83/status",
        "Name:\tloop\nvoluntary_ctxt_switches:\t1234\nnonvoluntary_ctxt_switches:\t17\n");
    file("proc/71/task/83/schedstat", "5000000 7000 31\n");
    Files.createSymbolicLink(root.resolve("proc/thread-self"), Path.of("71/task/83"));
    file("proc/self/cgroup", "0::/robot.slice/loop\n");
    file(
        "sys/fs/cgroup/robot.slice/loop/cpu.stat",
        "usage_usec 1\nnr_periods 9\nnr_throttled 3\nthrottled_usec 4500\n");
    file("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "2\n");
    file("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "3\n");
    file("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "729600\n");
    file("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2201600\n");
    file("sys/class/hwmon/hwmon2/oc1_event_cnt", "4\n");
    file("sys/class/hwmon/hwmon2/oc3_event_cnt", "1\n");
    LinuxProbe probe = new LinuxProbe(root);
    assertThat(facts(probe).get("thread_major_faults").why()).isEqualTo("no cycle has begun yet");
    probe.attach();
    assertThat(Files.exists(task)).isTrue();
    assertThat(probe.facts())
        .containsExactly(
            MachineFact.counter("thread_minor_faults", "1", 123),
            MachineFact.counter("thread_major_faults", "1", 56),
            MachineFact.counter("thread_voluntary_switches", "1", 1234),
            MachineFact.counter("thread_involuntary_switches", "1", 17),
            MachineFact.counter("thread_cpu_time", "ns", 5_000_000),
            MachineFact.counter("thread_waited_for_cpu", "ns", 7000),
            MachineFact.counter("quota_throttles", "1", 3),
            MachineFact.counter("quota_throttled_time", "ns", 4_500_000),
            MachineFact.counter("thermal_throttles", "1", 5),
            MachineFact.counter("over_current_events", "1", 5),
            MachineFact.gauge("cpu_clock_lowest", "kHz", 729_600),
            MachineFact.gauge("cpu_clock_highest", "kHz", 2_201_600));
  }

  @Test
  void whatIsNotThereIsUnknownWithItsReason() {
    LinuxProbe probe = new LinuxProbe(root);
    probe.attach();
    assertThat(probe.facts()).hasSize(12).allMatch(f -> f.value() == null && f.why() != null);
  }

  @Test
  void brokenFilesAreUnknownToo() throws IOException {
    file("proc/1/task/2/stat", "2 (x\n");
    file("proc/1/task/2/status", "");
    file("proc/1/task/2/schedstat", "\n");
    file("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "<unknown>\n");
    Files.createSymbolicLink(root.resolve("proc/thread-self"), Path.of("1/task/2"));
    LinuxProbe probe = new LinuxProbe(root);
    probe.attach();
    assertThat(probe.facts()).hasSize(12).allMatch(f -> f.value() == null && f.why() != null);
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "reads /proc")
  void theThreadThatAttachedIsTheOneThatIsRead() throws InterruptedException {
    LinuxProbe probe = new LinuxProbe(Path.of("/"));
    probe.attach();
    long before = facts(probe).get("thread_voluntary_switches").value();
    for (int i = 0; i < 20; i++) Thread.sleep(1);
    assertThat(facts(probe).get("thread_voluntary_switches").value())
        .isGreaterThanOrEqualTo(before + 20);
  }

  @Test
  void aCollectionIsAnEventInTheProgramsTime() throws InterruptedException {
    try (GcProbe probe = new GcProbe()) {
      long begin = System.nanoTime();
      System.gc();
      long end = System.nanoTime();
      List<MachineEvent> found = List.of();
      // Word of it comes from another thread, soon.
      for (int i = 0; i < 500 && found.isEmpty(); i++) {
        Thread.sleep(20);
        found = probe.events().stream().filter(e -> e.detail().contains("System.gc()")).toList();
      }
      assertThat(found).isNotEmpty();
      // To the millisecond, and late by how long the word took at most.
      assertThat(found.get(0).endNanos()).isGreaterThan(begin - 2_000_000);
      assertThat(found.get(0).beginNanos()).isLessThan(end + 2_000_000_000);
      assertThat(facts(probe).get("gc_pauses").value()).isPositive();
    }
  }
}
