package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What NVML tells of GPUs while something runs: clocks, power, temperature, and what slows them.
 */
final class GpuTelemetry {
  /** Bits of {@code nvmlClocksThrottleReasons} that mean a GPU ran slower than it could. */
  private static final Map<Long, String> SLOWED =
      Map.of(
          0x4L, "power cap",
          0x8L, "hardware slowdown",
          0x20L, "temperature (software)",
          0x40L, "temperature (hardware)",
          0x80L, "power brake");

  private static final List<String> GAUGES =
      List.of(
          "sm_clock_mhz",
          "sm_clock_max_mhz",
          "memory_clock_mhz",
          "temperature_c",
          "power_mw",
          "utilization_percent",
          "memory_used_bytes");

  private final Supplier<List<String>> nvml;
  private final Map<String, Reading> firstEnergy = new LinkedHashMap<>();
  private final Map<String, Reading> lastEnergy = new LinkedHashMap<>();
  private final Map<String, Long> reasons = new LinkedHashMap<>();
  private Reading missing;

  /**
   * @param nvml lines as {@link NvidiaFacts#of} takes them; null where NVML is not to be asked
   */
  GpuTelemetry(Supplier<List<String>> nvml) {
    this.nvml = nvml;
  }

  /** The GPUs' figures now; where there is no NVML, one that says why. */
  List<Reading> read() {
    if (nvml == null) {
      return List.of();
    }
    if (missing != null) {
      return List.of(missing); // Looking for it again and again costs, and finds nothing new.
    }
    Map<String, Reading> all;
    try {
      all = NvidiaFacts.read(nvml.get(), "NVML");
    } catch (RuntimeException e) {
      // Whoever asks it must not end the watch of all else.
      missing = Reading.none("nvml", "", "NVML", State.UNSUPPORTED, e.getMessage());
      return List.of(missing);
    }
    Reading library = all.get("nvml");
    if (library != null && library.state() != State.OK) {
      missing = library;
    }
    List<Reading> readings = new ArrayList<>();
    for (Reading reading : all.values()) {
      int dot = reading.name().indexOf('.');
      String figure = reading.name().substring(dot + 1);
      if (dot < 0 ? reading.state() != State.OK : GAUGES.contains(figure)) {
        readings.add(reading);
      } else if (figure.equals("energy_mj")) {
        firstEnergy.putIfAbsent(reading.name(), reading);
        lastEnergy.put(reading.name(), reading);
      } else if (figure.equals("throttle_reasons") && reading.value() instanceof Long bits) {
        reasons.merge(reading.name().substring(0, dot), bits, (a, b) -> a | b);
      }
    }
    return readings;
  }

  /** The energy of each GPU in J by its own counter, which moves every 10 to 100 ms. */
  List<Count> used() {
    List<Count> counts = new ArrayList<>();
    firstEnergy.forEach(
        (name, first) -> {
          Count millijoules = Count.between(first, lastEnergy.get(name));
          Double amount = millijoules.amount();
          counts.add(
              new Count(
                  "energy." + name.substring(0, name.indexOf('.')),
                  "J",
                  "NVML",
                  millijoules.state(),
                  millijoules.reason(),
                  amount == null ? null : (Double) (amount / 1000)));
        });
    return counts;
  }

  /** What slowed GPUs down at some sample, as {@code gpu0: power cap}; empty where nothing did. */
  List<String> slowed() {
    List<String> slowed = new ArrayList<>();
    reasons.forEach(
        (gpu, bits) -> {
          for (long bit = 1; bit <= 0x80; bit <<= 1) {
            if ((bits & bit) != 0 && SLOWED.containsKey(bit)) {
              slowed.add(gpu + ": " + SLOWED.get(bit));
            }
          }
        });
    return slowed;
  }
}
