package org.rpx.agent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.host.MachineFlag.Code;

/** Each flag is provoked, and does not come just below its threshold. */
class MachineFlagsTest {
  private static final String POLICY = "sys/devices/system/cpu/cpufreq/policy0/";
  @TempDir Path root;
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void findsNothingOnAQuietMachine() {
    governor("performance");
    clock(2000);

    assertThat(flags(null, () -> clock(2000))).isEmpty();
  }

  /** NVBench's 75 %: of 2000 MHz that is 1500. */
  @Test
  void seesAClockFall() {
    clock(2000);
    assertThat(flags(null, () -> clock(1500))).isEmpty();
    clock(2000);
    assertThat(flags(null, () -> clock(1499)))
        .singleElement()
        .satisfies(
            flag -> {
              assertThat(flag.code()).isEqualTo(Code.CLOCK_DRIFT);
              assertThat(flag.message()).contains("1499 MHz of 2000 MHz", "governor performance");
            });
  }

  @Test
  void seesAClockThatIsBelowItsBaseAllTheTime() {
    Recorded.write(root, POLICY + "base_frequency", "2800000\n");
    clock(2000);

    assertThat(codes(flags(null, () -> clock(2000)))).containsExactly(Code.CLOCK_DRIFT);
  }

  @Test
  void seesAJetsonsGpuFall() {
    String gpu = "sys/class/devfreq/17000000.gpu/";
    Recorded.write(root, gpu + "max_freq", "1300500000\n");
    Recorded.write(root, gpu + "cur_freq", "1300500000\n");

    assertThat(flags(null, () -> Recorded.write(root, gpu + "cur_freq", "306000000\n")))
        .singleElement()
        .extracting(MachineFlag::message)
        .asString()
        .contains("306 MHz of 1301 MHz", "jetson_clocks"); // 1300.5
  }

  @Test
  void seesAGpuFallAndWhy() {
    List<String> lines =
        List.of(
            "nvml\tok\t12",
            "gpu0.sm_clock_mhz\tok\t1000",
            "gpu0.sm_clock_max_mhz\tok\t1410",
            "gpu0.throttle_reasons\tok\t64");
    List<MachineFlag> flags = flags(() -> lines, () -> {});

    assertThat(codes(flags)).containsExactly(Code.CLOCK_DRIFT, Code.THROTTLED);
    assertThat(flags.get(1).message()).contains("gpu0: temperature (hardware)");
  }

  /** Idle (bit 0) and clocks that an application set (bit 1) are no throttling. */
  @Test
  void isNotMisledByAnIdleGpu() {
    List<String> lines = List.of("nvml\tok\t12", "gpu0.throttle_reasons\tok\t3");

    assertThat(flags(() -> lines, () -> {})).isEmpty();
  }

  @Test
  void seesACpuThrottle() {
    Recorded.write(root, "proc/self/status", "Cpus_allowed_list:\t0-1\n");
    throttle(0, "core", 4);
    throttle(1, "core", 9);
    // Of a CPU that is not ours.
    throttle(2, "core", 100);

    assertThat(flags(null, () -> throttle(2, "core", 200))).isEmpty();
    assertThat(flags(null, () -> throttle(1, "core", 12)))
        .singleElement()
        .satisfies(
            flag -> {
              assertThat(flag.code()).isEqualTo(Code.THROTTLED);
              assertThat(flag.message()).contains("cpu.core_throttled 3 times");
            });
  }

  /** The counts are since the start of the machine: only their difference is of this run. */
  @Test
  void seesOverCurrent() {
    String chip = "sys/class/hwmon/hwmon4/";
    Recorded.write(root, chip + "name", "soctherm_oc\n");
    Recorded.write(root, chip + "oc3_event_cnt", "5\n");

    assertThat(flags(null, () -> {})).isEmpty();
    assertThat(flags(null, () -> Recorded.write(root, chip + "oc3_event_cnt", "7\n")))
        .singleElement()
        .extracting(MachineFlag::message)
        .asString()
        .contains("over_current.oc3 2 times", "not valid");
  }

  @Test
  void seesAQuotaThatHoldsUp() {
    Recorded.write(root, "proc/self/cgroup", "0::/a\n");
    Recorded.write(root, "sys/fs/cgroup/a/cpu.stat", "nr_throttled 4\nthrottled_usec 1000000\n");

    assertThat(flags(null, () -> waited(1_009_000))).as("below 1 % of 1 s").isEmpty();
    waited(1_000_000);
    assertThat(flags(null, () -> waited(1_200_000)))
        .singleElement()
        .satisfies(
            flag -> {
              assertThat(flag.code()).isEqualTo(Code.OVERSUBSCRIBED);
              assertThat(flag.message()).contains("quota held this process up for 0.20 s");
            });
  }

  @Test
  void seesMoreThreadsThanCores() {
    Recorded.write(root, "proc/self/status", "Cpus_allowed_list:\t0-3\n");
    Telemetry telemetry = new Telemetry(new Tree(root), null, null, nanos::get);
    nanos.addAndGet(1_000_000_000L);
    TelemetrySummary seen = telemetry.stop();

    assertThat(MachineFlags.of(seen, 4)).isEmpty();
    assertThat(MachineFlags.of(seen, 5))
        .singleElement()
        .extracting(MachineFlag::message)
        .asString()
        .contains("5 threads compute on 4.0 cores", "--threads");
  }

  /** Of 2 CPUs for 1 s, 0.3 s busy and 0.1 s of them our own: 0.2 cores is the tenth; and above. */
  @Test
  void seesOtherLoad() {
    Recorded.write(root, "proc/self/status", "Cpus_allowed_list:\t0-1\n");
    busy(0, 0);
    assertThat(flags(null, () -> busy(30, 10))).isEmpty();
    busy(0, 0);
    assertThat(flags(null, () -> busy(60, 10)))
        .singleElement()
        .satisfies(
            flag -> {
              assertThat(flag.code()).isEqualTo(Code.OVERSUBSCRIBED);
              assertThat(flag.message()).contains("others kept 0.5 of 2.0 cores busy");
            });
  }

  @Test
  void seesSwapping() {
    swapped(1000, 2000);
    assertThat(flags(null, () -> swapped(1100, 2155))).as("255 pages").isEmpty();
    swapped(1000, 2000);
    assertThat(codes(flags(null, () -> swapped(1100, 2156)))).containsExactly(Code.SWAPPING);
  }

  /** Few pages, but this very process waited for one of them. */
  @Test
  void seesThisProcessWaitForSwap() {
    swapped(1000, 2000);
    faults(8);
    assertThat(
            flags(
                null,
                () -> {
                  swapped(1001, 2000);
                  faults(9);
                }))
        .extracting(MachineFlag::code)
        .containsExactly(Code.SWAPPING);
  }

  @Test
  void seesAGovernor() {
    governor("schedutil");
    assertThat(flags(null, () -> {}))
        .singleElement()
        .satisfies(
            flag -> {
              assertThat(flag.code()).isEqualTo(Code.GOVERNOR);
              assertThat(flag.message()).contains("governor schedutil", "cpupower");
            });
    // As jetson_clocks leaves it: the governor stays, and has nothing to choose.
    Recorded.write(root, POLICY + "scaling_min_freq", "1728000\n");
    Recorded.write(root, POLICY + "scaling_max_freq", "1728000\n");
    assertThat(flags(null, () -> {})).isEmpty();
    assertThat(flags(null, () -> governor("performance")))
        .singleElement()
        .extracting(MachineFlag::message)
        .asString()
        .contains("changed from schedutil to performance");
  }

  /** What is asked of the machine between two samples, 1 s apart. */
  private List<MachineFlag> flags(Supplier<List<String>> nvml, Runnable meanwhile) {
    Telemetry telemetry = new Telemetry(new Tree(root), null, nvml, nanos::get);
    nanos.addAndGet(1_000_000_000L);
    meanwhile.run();
    // Collections of the tests' own JVM have a test of their own.
    return MachineFlags.of(telemetry.stop(), null).stream()
        .filter(flag -> flag.code() != Code.GC_DURING_RUN)
        .toList();
  }

  private static List<Code> codes(List<MachineFlag> flags) {
    return flags.stream().map(MachineFlag::code).toList();
  }

  private void clock(int mhz) {
    Recorded.write(root, POLICY + "scaling_cur_freq", mhz + "000\n");
  }

  private void governor(String name) {
    Recorded.write(root, POLICY + "scaling_governor", name + "\n");
  }

  private void throttle(int cpu, String what, int count) {
    String folder = "sys/devices/system/cpu/cpu" + cpu + "/thermal_throttle/";
    Recorded.write(root, folder + what + "_throttle_count", count + "\n");
  }

  private void waited(long micros) {
    Recorded.write(
        root, "sys/fs/cgroup/a/cpu.stat", "nr_throttled 5\nthrottled_usec " + micros + "\n");
  }

  private void busy(int ticks, int own) {
    Recorded.write(
        root,
        "proc/stat",
        "cpu  0 0 0 0 0 0 0 0\ncpu0 " + ticks + " 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0\n");
    Recorded.write(
        root, "proc/self/stat", "7 (java) S 1 7 7 0 -1 0 0 0 0 0 " + own + " 0 0 0 20 0 1 0 1\n");
  }

  private void swapped(int in, int out) {
    Recorded.write(root, "proc/vmstat", "pswpin " + in + "\npswpout " + out + "\n");
  }

  private void faults(int major) {
    Recorded.write(
        root, "proc/self/stat", "7 (java) S 1 7 7 0 -1 0 0 0 " + major + " 0 0 0 0 0 20 0 1 0 1\n");
  }
}
