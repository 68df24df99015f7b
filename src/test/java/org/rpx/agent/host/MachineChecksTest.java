package org.rpx.agent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.host.Check.Mark;

/** Recorded and made-up machines, watched for a second. */
class MachineChecksTest {
  private static final Runnable NOTHING = () -> {};
  @TempDir Path root;
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void aLaptopsClocksFollowTheLoadAndOnlyRootReadsItsEnergy() {
    Tree laptop = Recorded.tree("laptop");
    has(laptop, "clocks", Mark.WARN, "governor powersave", "cpupower frequency-set -g performance");
    has(
        laptop,
        "RAPL",
        Mark.WARN,
        "denied: only root may read /sys/class/powercap/intel-rapl:*/energy_uj",
        "chmod a+r");
    has(laptop, "swap", Mark.OK, "1.0 of 2.0 GiB in use", null);
    has(laptop, "cores", Mark.OK, "8 of 8 CPUs allowed", null);
    // The trips before we looked (40 in the recorded files) are no trouble of now.
    has(laptop, "heat", Mark.OK, "not throttled now", null);
    has(laptop, "power rails", Mark.NONE, "no such monitors here", null);
  }

  @Test
  void aServerTellsItsEnergy() {
    Tree server = Recorded.tree("x86-server");
    has(server, "RAPL", Mark.OK, "energy of the CPU packages", null);
    has(server, "clocks", Mark.WARN, "governor mixed", "cpupower");
    has(server, "memory", Mark.OK, "200.0 of 251.5 GiB available", null);
  }

  @Test
  void aBoardTellsItsRails() {
    Tree orin = Recorded.tree("jetson-agx-orin");
    has(orin, "power rails", Mark.OK, "power of the board's rails", null);
    has(orin, "RAPL", Mark.NONE, "no RAPL here", null);
    has(orin, "clocks", Mark.WARN, "schedutil", "jetson_clocks");
  }

  @Test
  void aContainersQuotaNamesTheThreadsThatFit() {
    Tree container = Recorded.tree("container-quota");
    has(
        container,
        "cores",
        Mark.WARN,
        "4 of 64 CPUs allowed; a quota of 2.50 cores",
        "at most 2 threads (--threads)");
    has(container, "clocks", Mark.WARN, "does not tell its CPUs' clocks", "compare A B");
    has(container, "memory", Mark.OK, "at most 4.0 GiB in this container", null);
    has(container, "swap", Mark.OK, "none", null);
  }

  @Test
  void aQuotaBelowOneCoreMakesFiguresInvalid() {
    Recorded.write(root, "proc/self/status", "Cpus_allowed_list:\t0-1\n");
    Recorded.write(root, "proc/self/cgroup", "0::/\n");
    Recorded.write(root, "sys/fs/cgroup/cpu.max", "50000 100000\n");
    has(new Tree(root), "cores", Mark.FAIL, "a quota of 0.50 cores", "1 or more");
    Recorded.write(root, "sys/fs/cgroup/cpu.max", "100000 100000\n");
    has(new Tree(root), "cores", Mark.WARN, "a quota of 1.00 cores", "at most 1 threads");
  }

  /** Of 2 CPUs for 1 s: a tenth is 20 ticks of 1/100 s, a half 100. */
  @Test
  void otherLoadWarnsAboveATenthAndFailsAboveAHalf() {
    Recorded.write(root, "proc/self/status", "Cpus_allowed_list:\t0-1\n");
    Recorded.write(root, "sys/devices/system/cpu/online", "0-1\n");
    busy(0);
    assertThat(check("load", () -> busy(20)).mark()).isEqualTo(Mark.OK);
    busy(0);
    assertThat(check("load", () -> busy(21)).mark()).isEqualTo(Mark.WARN);
    busy(0);
    assertThat(check("load", () -> busy(100)).mark()).isEqualTo(Mark.WARN);
    busy(0);
    Check failed = check("load", () -> busy(110));
    assertThat(failed.mark()).isEqualTo(Mark.FAIL);
    assertThat(failed.finding()).isEqualTo("others keep 1.1 of 2.0 cores busy");
    assertThat(failed.remedy()).contains("stop other programs");
  }

  @Test
  void swappingAndThrottlingMakeFiguresInvalid() {
    swapped(0);
    Check swap = check("swap", () -> swapped(256));
    assertThat(swap.mark()).isEqualTo(Mark.FAIL);
    assertThat(swap.finding()).isEqualTo("256 pages were swapped in and out");
    assertThat(swap.remedy()).startsWith("free memory");
    throttled(4);
    Check heat = check("heat", () -> throttled(5));
    assertThat(heat.mark()).isEqualTo(Mark.FAIL);
    assertThat(heat.finding()).contains("cpu.core_throttled 1 times");
    assertThat(heat.remedy()).startsWith("cool the machine");
  }

  @Test
  void littleMemoryWarns() {
    String total = "MemTotal: 1000000 kB\nMemAvailable: ";
    Recorded.write(root, "proc/meminfo", total + "100000 kB\n");
    assertThat(check("memory", NOTHING).mark()).isEqualTo(Mark.OK);
    Recorded.write(root, "proc/meminfo", total + "99999 kB\n");
    assertThat(check("memory", NOTHING).mark()).isEqualTo(Mark.WARN);
  }

  @Test
  void aSlowClockSourceWarns() {
    String path = "sys/devices/system/clocksource/clocksource0/current_clocksource";
    assertThat(check("clock source", NOTHING).mark()).isEqualTo(Mark.NONE);
    Recorded.write(root, path, "hpet\n");
    has(new Tree(root), "clock source", Mark.WARN, "hpet", "clocksource=tsc");
    Recorded.write(root, path, "tsc\n");
    has(new Tree(root), "clock source", Mark.OK, "tsc", null);
  }

  @Test
  void nvmlSaysWhetherItTellsPower() {
    List<String> missing = List.of("nvml\tunsupported\tlibnvidia-ml.so.1: no such file");
    assertThat(check("NVML", () -> missing))
        .isEqualTo(Check.none("NVML", "unsupported: libnvidia-ml.so.1: no such file"));
    List<String> answers = List.of("nvml\tok\t12", "gpu0.power_mw\tok\t70000");
    assertThat(check("NVML", () -> answers)).isEqualTo(Check.ok("NVML", "power of gpu0 (NVML)"));
    // As on a Jetson Orin: the library starts, every query is refused.
    List<String> orin = List.of("nvml\tok\t12", "gpu0.power_mw\tunsupported\tNot Supported");
    assertThat(check("NVML", () -> orin))
        .isEqualTo(Check.none("NVML", "unsupported: Not Supported"));
    List<String> denied = List.of("nvml\tok\t12", "gpu0.power_mw\tdenied\tno permission");
    assertThat(check("NVML", () -> denied).mark()).isEqualTo(Mark.WARN);
  }

  /** Nothing of the machine can be read: nothing is made up, and nothing throws. */
  @Test
  void anEmptyMachineHasNoOkOfItsOwn() {
    Tree nowhere = new Tree(root.resolve("nowhere"));
    List<Check> checks = MachineChecks.of(nowhere, seen(nowhere, null, NOTHING), facts(nowhere));
    assertThat(checks)
        .filteredOn(c -> c.mark() == Mark.OK)
        .extracting(Check::name)
        .containsExactly("telemetry");
    assertThat(checks)
        .filteredOn(c -> c.mark() == Mark.WARN || c.mark() == Mark.FAIL)
        .allMatch(c -> c.remedy() != null);
  }

  @Test
  void aProcessKnowsWhatItRunsUnder() {
    Recorded.write(root, "proc/self/cmdline", "java\0-Xint\0-XX:+UseZGC\0-jar\0a.jar");
    Path absent = root.resolve("absent");
    Map<String, String> variables = Map.of("OMP_NUM_THREADS", "1", "HOME", "/root");
    List<Check> checks = ProcessChecks.of(new Tree(root), variables, absent, root);
    assertThat(named(checks, "Java").mark()).isEqualTo(Mark.WARN);
    assertThat(named(checks, "Java").finding()).contains("collector Z, -Xint -XX:+UseZGC");
    assertThat(named(checks, "Java").remedy()).contains("leave out -Xint");
    assertThat(named(checks, "environment").finding()).isEqualTo("set: OMP_NUM_THREADS");
    assertThat(named(checks, "temporary files").mark()).isEqualTo(Mark.FAIL);
    assertThat(named(checks, "black box").mark()).isEqualTo(Mark.OK);
    Recorded.write(root, "proc/self/cmdline", "java\0-XX:+UseSerialGC\0-jar\0a.jar");
    checks = ProcessChecks.of(new Tree(root), Map.of(), root, absent);
    assertThat(named(checks, "Java").mark()).isEqualTo(Mark.OK);
    assertThat(named(checks, "environment").mark()).isEqualTo(Mark.OK);
    assertThat(named(checks, "temporary files").mark()).isEqualTo(Mark.OK);
    assertThat(named(checks, "black box").mark()).isEqualTo(Mark.WARN);
    assertThat(root).isDirectoryNotContaining("glob:**.check");
  }

  @Test
  void aCoarseOrSlowTimerWarns() {
    assertThat(ProcessChecks.timer(1, 25).mark()).isEqualTo(Mark.OK);
    assertThat(ProcessChecks.timer(1001, 25).mark()).isEqualTo(Mark.WARN);
    assertThat(ProcessChecks.timer(100, 1500).mark()).isEqualTo(Mark.WARN);
  }

  private void has(Tree tree, String name, Mark mark, String finding, String remedy) {
    Check check = named(MachineChecks.of(tree, seen(tree, null, NOTHING), facts(tree)), name);
    assertThat(check.mark()).as(check.toString()).isEqualTo(mark);
    assertThat(check.finding()).contains(finding);
    if (remedy == null) assertThat(check.remedy()).isNull();
    else assertThat(check.remedy()).contains(remedy);
  }

  private Check check(String name, Runnable meanwhile) {
    Tree tree = new Tree(root);
    return named(MachineChecks.of(tree, seen(tree, null, meanwhile), facts(tree)), name);
  }

  private Check check(String name, Supplier<List<String>> nvml) {
    Tree tree = new Tree(root);
    return named(MachineChecks.of(tree, seen(tree, nvml, NOTHING), facts(tree)), name);
  }

  private TelemetrySummary seen(Tree tree, Supplier<List<String>> nvml, Runnable meanwhile) {
    Telemetry telemetry = new Telemetry(tree, null, nvml, nanos::get);
    nanos.addAndGet(1_000_000_000L);
    meanwhile.run();
    return telemetry.stop();
  }

  private static HostFacts facts(Tree tree) {
    return LinuxFacts.read(tree);
  }

  private static Check named(List<Check> checks, String name) {
    return checks.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  private void busy(int ticks) {
    Recorded.write(
        root,
        "proc/stat",
        "cpu  0 0 0 0 0 0 0 0\ncpu0 " + ticks + " 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0\n");
    Recorded.write(root, "proc/self/stat", "7 (java) S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 1\n");
  }

  private void swapped(int pages) {
    Recorded.write(root, "proc/vmstat", "pswpin 0\npswpout " + pages + "\n");
  }

  private void throttled(int count) {
    Recorded.write(root, "proc/self/status", "Cpus_allowed_list:\t0\n");
    Recorded.write(
        root, "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", count + "\n");
  }
}
