package org.rpx.agent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SensorsTest {
  @TempDir Path root;

  @Test
  void readsANanoOfJetPack4() {
    Map<String, Reading> nano = read("jetson-nano");

    assertThat(number(nano, "power.POM_5V_GPU")).isEqualTo(1234);
    assertThat(number(nano, "power.POM_5V_CPU")).isEqualTo(987);
    assertThat(number(nano, "power.total")).as("POM_5V_IN feeds the others").isEqualTo(4210);
    assertThat(number(nano, "gpu.load")).isCloseTo(87.3, within(1e-9));
    assertThat(nano.get("gpu.load").source()).isEqualTo("/sys/devices/gpu.0/load");
    assertThat(number(nano, "gpu.clock")).isCloseTo(614.4, within(1e-9));
    assertThat(number(nano, "gpu.clock_max")).isCloseTo(921.6, within(1e-9));
    assertThat(number(nano, "temperature.CPU-therm")).isEqualTo(31);
    assertThat(number(nano, "cpu.clock")).isEqualTo(1479);
    assertThat(nano.keySet()).noneMatch(name -> name.startsWith("over_current"));
  }

  @Test
  void readsAXavierOfJetPack5() {
    Map<String, Reading> xavier = read("jetson-xavier-nx");

    assertThat(number(xavier, "power.VDD_IN")).isEqualTo(5000 * 1180 / 1000.0);
    assertThat(number(xavier, "power.VDD_SOC")).isCloseTo(1275.904, within(1e-9));
    assertThat(number(xavier, "power.total")).isEqualTo(5900);
    assertThat(xavier.keySet())
        .filteredOn(name -> name.startsWith("power."))
        .as("neither the sum of shunt voltages nor a fourth channel")
        .containsExactly("power.VDD_IN", "power.VDD_CPU_GPU_CV", "power.VDD_SOC", "power.total");
    assertThat(number(xavier, "gpu.load")).isZero();
    assertThat(number(xavier, "over_current.oc2")).isEqualTo(2);
  }

  /**
   * No rail feeds the whole board, so that the total is the sum 7993.6 + 1997.6 + 4500; memory
   * (VDDQ_VDD2_1V8AO) is fed by the last of them.
   */
  @Test
  void readsAnOrinOfJetPack6() {
    Map<String, Reading> orin = read("jetson-agx-orin");

    assertThat(number(orin, "power.VDD_GPU_SOC")).isCloseTo(7993.6, within(1e-9));
    assertThat(number(orin, "power.VDDQ_VDD2_1V8AO")).isEqualTo(2488);
    assertThat(number(orin, "power.total")).isCloseTo(14491.2, within(1e-9));
    assertThat(orin.get("power.total").source())
        .isEqualTo("VDD_GPU_SOC + VDD_CPU_CV + VIN_SYS_5V0");
    assertThat(orin).doesNotContainKey("power.NC");
    assertThat(number(orin, "gpu.load")).isCloseTo(45.6, within(1e-9));
    assertThat(orin.get("gpu.load").source())
        .isEqualTo("/sys/devices/platform/bus@0/17000000.gpu/load");
    assertThat(number(orin, "gpu.clock")).isCloseTo(612, within(1e-9));
    assertThat(orin.get("temperature.gpu-thermal"))
        .extracting(Reading::value, Reading::state, Reading::reason)
        .containsExactly(null, State.UNSUPPORTED, "not readable now: Resource unavailable");
    assertThat(orin.get("memory.clock"))
        .extracting(Reading::value, Reading::state, Reading::source)
        .containsExactly(null, State.DENIED, "/sys/kernel/debug/bpmp/debug/clk/emc/rate");
    assertThat(number(orin, "cpu.clock")).isEqualTo(1728);
    assertThat(number(orin, "cpu.clock_lowest")).isCloseTo(729.6, within(1e-9));
    assertThat(orin.get("cpu.clock").source())
        .as("the other is root's")
        .endsWith("scaling_cur_freq");
    assertThat(number(orin, "over_current.oc3")).isEqualTo(5);
  }

  @Test
  void readsAThorOfJetPack7() {
    Map<String, Reading> thor = read("jetson-thor");

    assertThat(number(thor, "power.VDD_GPU")).isEqualTo(19992 * 1500 / 1000.0);
    assertThat(number(thor, "power.VIN"))
        .as("in microwatts there")
        .isCloseTo(61234.567, within(1e-9));
    assertThat(number(thor, "power.total")).as("VIN alone").isCloseTo(61234.567, within(1e-9));
    assertThat(number(thor, "gpu.clock")).isCloseTo(1575, within(1e-9));
    assertThat(thor.get("gpu.clock").source()).contains("gpu-gpc-0");
    assertThat(thor.get("temperature.gpu-thermal").state()).isEqualTo(State.UNSUPPORTED);
  }

  @Test
  void readsAServerAndALaptop() {
    Map<String, Reading> server = read("x86-server");
    Map<String, Reading> laptop = read("laptop");

    assertThat(number(server, "temperature.x86_pkg_temp")).isEqualTo(61);
    assertThat(number(server, "temperature.x86_pkg_temp.1")).isEqualTo(58.5);
    assertThat(number(server, "cpu.clock")).isEqualTo(1995);
    assertThat(number(laptop, "cpu.clock")).isEqualTo(4100);
    assertThat(laptop.get("temperature.iwlwifi_1").state()).isEqualTo(State.UNSUPPORTED);
    assertThat(laptop.keySet()).noneMatch(name -> name.startsWith("power"));
    assertThat(read("container-quota").values())
        .allSatisfy(
            reading -> assertThat(reading.reason()).isEqualTo("no cpufreq on this machine"));
  }

  /** A partial sum would be a made-up figure. */
  @Test
  void givesNoTotalWhereARailIsMissing() {
    String folder = "sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon1/";
    Recorded.write(root, folder + "in1_label", "VDD_GPU_SOC\n");
    Recorded.write(root, folder + "in1_input", "20000\n");
    Recorded.write(root, folder + "curr1_input", "400\n");
    Recorded.write(root, folder + "in2_label", "VDD_CPU_CV\n");
    Recorded.write(root, folder + "in2_input", "20000\n");

    Map<String, Reading> readings = byName(new Tree(root));
    assertThat(number(readings, "power.VDD_GPU_SOC")).isEqualTo(8000);
    assertThat(readings.get("power.total"))
        .extracting(Reading::value, Reading::state, Reading::reason)
        .containsExactly(null, State.UNSUPPORTED, "a rail is missing");
  }

  /** Every file that is read, holding what no kernel writes. */
  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\0", "x", "-", "99999999999999999999", "1 2", "1.5", "NaN"})
  void makesNothingOfGarbage(String garbage) {
    for (String path :
        List.of(
            "sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon1/in1_label",
            "sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon1/in1_input",
            "sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon1/curr1_input",
            "sys/bus/i2c/drivers/ina3221x/6-0040/iio:device0/rail_name_0",
            "sys/bus/i2c/drivers/ina3221x/6-0040/iio:device0/in_power0_input",
            "sys/bus/i2c/drivers/ina238/2-0044/hwmon/hwmon7/power1_input",
            "sys/class/devfreq/17000000.gpu/cur_freq",
            "sys/class/devfreq/17000000.gpu/device/load",
            "sys/class/thermal/thermal_zone0/type",
            "sys/class/thermal/thermal_zone0/temp",
            "sys/class/hwmon/hwmon4/name",
            "sys/class/hwmon/hwmon4/oc1_event_cnt",
            "sys/class/powercap/intel-rapl:0/name",
            "sys/class/powercap/intel-rapl:0/energy_uj",
            "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count",
            "sys/devices/system/cpu/cpufreq/policy0/affected_cpus",
            "sys/devices/system/cpu/cpufreq/policy0/base_frequency",
            "sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq",
            "sys/fs/cgroup/cpu.stat",
            "proc/self/task/1/stat",
            "proc/vmstat")) {
      Recorded.write(root, path, garbage);
    }

    assertThat(Sensors.read(root)).extracting(Reading::value).containsOnlyNulls();
    TelemetrySummary seen = new Telemetry(new Tree(root), "1", null, () -> 0).stop();
    assertThat(seen.counts().values())
        .filteredOn(count -> !count.name().startsWith("gc."))
        .extracting(Count::amount)
        .containsOnlyNulls();
    assertThat(MachineFlags.of(seen, null))
        .extracting(MachineFlag::code)
        .isSubsetOf(MachineFlag.Code.GC_DURING_RUN);
  }

  @Test
  void readsThisMachine() {
    assertThat(Sensors.read(Path.of("/")))
        .extracting(Reading::name)
        .contains("cpu.clock", "cpu.clock_lowest")
        .doesNotHaveDuplicates();
  }

  private static Map<String, Reading> read(String machine) {
    return byName(Recorded.tree(machine));
  }

  private static Map<String, Reading> byName(Tree tree) {
    Map<String, Reading> readings = new LinkedHashMap<>();
    Sensors.read(tree).forEach(reading -> readings.put(reading.name(), reading));
    return readings;
  }

  private static Double number(Map<String, Reading> readings, String name) {
    assertThat(readings).containsKey(name);
    assertThat(readings.get(name).state()).as(readings.get(name).toString()).isEqualTo(State.OK);
    return readings.get(name).number();
  }
}
