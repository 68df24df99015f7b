package org.rpx.agent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recorded and made-up machines, sampled by hand at 0, 1, 2, … s. */
class TelemetryTest {
  private static final String RAPL = "sys/class/powercap/intel-rapl:";
  @TempDir Path root;
  private final AtomicLong nanos = new AtomicLong(7_000_000_000L);

  @Test
  void keepsStartEndAndExtremesOfWhatMoves() {
    clock(2000);
    Telemetry telemetry = start(); // 2000 MHz
    clock(3000);
    tick(telemetry);
    clock(1000);
    tick(telemetry);
    clock(2400);
    nanos.addAndGet(1_000_000_000L);

    TelemetrySummary seen = telemetry.stop();
    assertThat(seen.seconds()).isEqualTo(3);
    assertThat(seen.samples()).isEqualTo(4);
    assertThat(seen.series().get("cpu.clock"))
        .isEqualTo(
            new Series(
                "cpu.clock",
                "MHz",
                "/sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq",
                State.OK,
                null,
                2000.0,
                2400.0,
                1000.0,
                (2000 + 3000 + 1000 + 2400) / 4.0,
                3000.0,
                4));
    assertThat(seen.cpu().maxMhz()).isEqualTo(3000);
  }

  @Test
  void countsWhatHappenedToTheTimedThread() {
    thread(10, 3, 500, 2);
    Recorded.write(root, "proc/vmstat", "nr_free 1\npswpin 10\npswpout 20\n");
    Telemetry telemetry = start();
    thread(25, 7, 560, 3);
    Recorded.write(root, "proc/vmstat", "nr_free 1\npswpin 110\npswpout 520\n");
    TelemetrySummary seen = telemetry.stop();

    assertThat(amount(seen, "thread.voluntary_switches")).isEqualTo(15);
    assertThat(amount(seen, "thread.involuntary_switches")).isEqualTo(4);
    assertThat(amount(seen, "thread.minor_faults")).isEqualTo(60);
    assertThat(amount(seen, "thread.major_faults")).isEqualTo(1);
    assertThat(amount(seen, "swap.in_pages")).isEqualTo(100);
    assertThat(amount(seen, "swap.out_pages")).isEqualTo(500);
    assertThat(seen.counts().get("cpu.core_throttled"))
        .extracting(Count::amount, Count::state, Count::reason)
        .containsExactly(null, State.UNSUPPORTED, "not told here");
  }

  /** 300 J to the end of the range and 100 J behind it; then 50 J; the other package 20 and 30. */
  @Test
  void addsEnergyOverTheCountersWrapAndOverPackages() {
    rapl(0, 262_143_328_850L - 300_000_000);
    rapl(1, 5_000_000);
    Recorded.write(root, RAPL + "0:0/name", "dram\n");
    Recorded.write(root, RAPL + "0:0/energy_uj", "1\n");
    Telemetry telemetry = start();
    rapl(0, 100_000_000);
    rapl(1, 25_000_000);
    tick(telemetry);
    rapl(0, 150_000_000);
    rapl(1, 55_000_000);
    TelemetrySummary seen = telemetry.stop();

    assertThat(amount(seen, "energy.package-0")).isCloseTo(450, within(1e-6));
    assertThat(amount(seen, "energy.package-1")).isCloseTo(50, within(1e-6));
    assertThat(amount(seen, "energy.cpu")).isCloseTo(500, within(1e-6));
    assertThat(seen.counts()).doesNotContainKey("energy.dram");
  }

  @Test
  void saysThatEnergyIsForbidden() {
    Telemetry telemetry =
        new Telemetry(Recorded.tree("laptop"), null, null, nanos::get); // root's, as on most
    assertThat(telemetry.stop().counts().get("energy.cpu"))
        .extracting(Count::amount, Count::state, Count::reason)
        .containsExactly(null, State.DENIED, "permission denied");
  }

  /** Trapezes over 1 s each: (4 + 8) / 2 + (8 + 6) / 2 + (6 + 6) / 2 = 19 J. */
  @Test
  void integratesARailsPower() {
    rail(4000);
    Telemetry telemetry = start();
    rail(8000);
    tick(telemetry);
    rail(6000);
    tick(telemetry);
    nanos.addAndGet(1_000_000_000L);
    TelemetrySummary seen = telemetry.stop();

    assertThat(amount(seen, "energy.VDD_IN")).isCloseTo(19, within(1e-9));
    assertThat(amount(seen, "energy.total")).isCloseTo(19, within(1e-9));
    assertThat(seen.series().get("power.VDD_IN").mean()).isEqualTo(6000);
  }

  @Test
  void givesNoEnergyWhereThePowerWasMissing() throws Exception {
    rail(4000);
    Telemetry telemetry = start();
    Files.delete(root.resolve("sys/bus/i2c/drivers/ina3221x/6-0040/iio:device0/in_power0_input"));
    tick(telemetry);
    rail(6000);
    nanos.addAndGet(1_000_000_000L);

    assertThat(telemetry.stop().counts().get("energy.VDD_IN"))
        .extracting(Count::amount, Count::reason)
        .containsExactly(null, "the power was missing in 1 samples");
  }

  @Test
  void takesTheGpusOwnCounter() {
    List<List<String>> answers =
        List.of(
            gpu("ok\t5000000", "ok\t300000", 1400, 0x1),
            gpu("ok\t5100000", "ok\t350000", 900, 0x24),
            gpu("ok\t5250000", "ok\t310000", 1410, 0x0));
    AtomicLong asked = new AtomicLong();
    Telemetry telemetry =
        new Telemetry(
            new Tree(root), null, () -> answers.get((int) asked.getAndIncrement()), nanos::get);
    tick(telemetry);
    TelemetrySummary seen = telemetry.stop();

    assertThat(amount(seen, "energy.gpu0")).as("5250 J - 5000 J").isEqualTo(250);
    assertThat(seen.counts().get("energy.gpu0").source()).isEqualTo("NVML");
    assertThat(seen.series().get("gpu0.power_mw").max()).isEqualTo(350000);
    assertThat(seen.series().get("gpu0.sm_clock_mhz").min()).isEqualTo(900);
    assertThat(seen.gpuSlowed()).containsExactly("gpu0: power cap", "gpu0: temperature (software)");
  }

  @Test
  void integratesTheGpusPowerWhereItHasNoCounter() {
    List<String> answer = gpu("unsupported\tNot Supported", "ok\t200000", 1400, 0);
    Telemetry telemetry = new Telemetry(new Tree(root), null, () -> answer, nanos::get);
    tick(telemetry);

    assertThat(amount(telemetry.stop(), "energy.gpu0")).as("200 W for 1 s").isEqualTo(200);
  }

  @Test
  void saysWhatAnOrinsNvmlDoesNotSupport() {
    List<String> answer = gpu("unsupported\tNot Supported", "unsupported\tNot Supported", 0, 0);
    Telemetry telemetry = new Telemetry(new Tree(root), null, () -> answer, nanos::get);
    TelemetrySummary seen = telemetry.stop();

    assertThat(seen.counts().get("energy.gpu0"))
        .extracting(Count::amount, Count::state, Count::reason)
        .containsExactly(null, State.UNSUPPORTED, "Not Supported");
    assertThat(seen.series().get("gpu0.power_mw").reason()).isEqualTo("Not Supported");
  }

  @Test
  void saysThatThereIsNoNvmlAndAsksOnce() {
    AtomicLong asked = new AtomicLong();
    Telemetry telemetry =
        new Telemetry(
            new Tree(root),
            null,
            () -> {
              asked.incrementAndGet();
              return List.of("nvml\tunsupported\tno such library");
            },
            nanos::get);
    tick(telemetry);

    assertThat(telemetry.stop().series().get("nvml").reason()).isEqualTo("no such library");
    assertThat(asked).hasValue(1);
  }

  @Test
  void goesOnWhereNvmlFails() {
    clock(2000);
    Telemetry telemetry =
        new Telemetry(
            new Tree(root),
            null,
            () -> {
              throw new IllegalStateException("the driver went away");
            },
            nanos::get);
    TelemetrySummary seen = telemetry.stop();

    assertThat(seen.series().get("nvml").reason()).isEqualTo("the driver went away");
    assertThat(seen.series().get("cpu.clock").mean()).isEqualTo(2000);
  }

  @Test
  void watchesThisMachine() throws Exception {
    assumeThat(Files.exists(Path.of("/proc/thread-self"))).isTrue();
    long start = System.nanoTime();
    Telemetry telemetry = Telemetry.start(Path.of("/"), null);
    while (System.nanoTime() - start < 600_000_000L) {
      Thread.sleep(20);
    }
    System.gc();
    TelemetrySummary seen = telemetry.stop();
    int quarters = (int) ((System.nanoTime() - start) / 250_000_000L);

    // The first, each 250 ms and the last; a busy machine wakes nobody in time.
    assertThat(seen.samples()).isBetween(2, quarters + 3);
    assertThat(amount(seen, "thread.voluntary_switches")).as("each sleep is one").isGreaterThan(5);
    assertThat(amount(seen, "gc.collections")).isPositive();
    assertThat(seen.cost().cpuMsPerS()).isBetween(0.0, 1000.0);
    assertThat(MachineFlags.of(seen, null))
        .extracting(MachineFlag::code)
        .contains(MachineFlag.Code.GC_DURING_RUN);
  }

  private Telemetry start() {
    return new Telemetry(new Tree(root), "42", null, nanos::get);
  }

  private void tick(Telemetry telemetry) {
    nanos.addAndGet(1_000_000_000L);
    telemetry.sample();
  }

  private static Double amount(TelemetrySummary seen, String name) {
    assertThat(seen.counts()).containsKey(name);
    assertThat(seen.counts().get(name).reason()).isNull();
    return seen.counts().get(name).amount();
  }

  private void clock(int mhz) {
    String policy = "sys/devices/system/cpu/cpufreq/policy0/";
    Recorded.write(root, policy + "scaling_cur_freq", mhz + "000\n");
    Recorded.write(root, policy + "scaling_max_freq", "3000000\n");
  }

  private void thread(int voluntary, int involuntary, int minor, int major) {
    Recorded.write(
        root,
        "proc/self/task/42/status",
        "voluntary_ctxt_switches:\t"
            + voluntary
            + "\nnonvoluntary_ctxt_switches:\t"
            + involuntary
            + "\n");
    Recorded.write(
        root,
        "proc/self/task/42/stat",
        "42 (a (b) c) R 1 77 77 0 -1 4194304 " + minor + " 0 " + major + " 0 300 40\n");
  }

  private void rapl(int n, long microjoules) {
    Recorded.write(root, RAPL + n + "/name", "package-" + n + "\n");
    Recorded.write(root, RAPL + n + "/energy_uj", microjoules + "\n");
    Recorded.write(root, RAPL + n + "/max_energy_range_uj", "262143328850\n");
  }

  private void rail(int milliwatts) {
    String folder = "sys/bus/i2c/drivers/ina3221x/6-0040/iio:device0/";
    Recorded.write(root, folder + "rail_name_0", "VDD_IN\n");
    Recorded.write(root, folder + "in_power0_input", milliwatts + "\n");
  }

  private static List<String> gpu(String energy, String power, int clock, int reasons) {
    return List.of(
        "nvml\tok\t12.535",
        "gpu_count\tok\t1",
        "gpu0.energy_mj\t" + energy,
        "gpu0.power_mw\t" + power,
        "gpu0.sm_clock_mhz\tok\t" + clock,
        "gpu0.sm_clock_max_mhz\tok\t1410",
        "gpu0.throttle_reasons\tok\t" + reasons);
  }
}
