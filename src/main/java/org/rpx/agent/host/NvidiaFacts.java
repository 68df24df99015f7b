package org.rpx.agent.host;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What NVIDIA's management library (NVML) and CUDA's runtime said of the GPUs, by key. Keys of a
 * GPU begin with {@code gpu0.}, {@code gpu1.}, …, by each library's own count: NVML counts the
 * machine's, the runtime those that this process may use.
 *
 * @param management of NVML; empty where it was not asked
 * @param runtime of CUDA's runtime; empty where it was not asked
 */
public record NvidiaFacts(Map<String, Reading> management, Map<String, Reading> runtime) {
  /** Nobody was asked. */
  public static final NvidiaFacts NONE = new NvidiaFacts(Map.of(), Map.of());

  private static final Map<String, String> UNITS =
      Map.of("mj", "mJ", "mw", "mW", "mhz", "MHz", "khz", "kHz", "c", "C", "percent", "%");

  /** Copies both, keeping their order. */
  public NvidiaFacts {
    management = Collections.unmodifiableMap(new LinkedHashMap<>(management));
    runtime = Collections.unmodifiableMap(new LinkedHashMap<>(runtime));
  }

  /**
   * Reads the lines that native code hands over: {@code key<TAB>state<TAB>value}. Whole numbers
   * become {@link Long}s. A line of another form is passed over.
   */
  public static NvidiaFacts of(List<String> management, List<String> runtime) {
    return new NvidiaFacts(read(management, "NVML"), read(runtime, "CUDA runtime"));
  }

  static Map<String, Reading> read(List<String> lines, String source) {
    Map<String, Reading> readings = new LinkedHashMap<>();
    for (String line : lines) {
      String[] parts = line.split("\t", 3);
      if (parts.length == 3) {
        String last = parts[0].substring(parts[0].lastIndexOf('_') + 1);
        String unit = last.equals("bytes") ? "B" : UNITS.getOrDefault(last, "");
        readings.put(parts[0], reading(parts[0], unit, source, parts[1], parts[2]));
      }
    }
    return readings;
  }

  private static Reading reading(
      String name, String unit, String source, String state, String value) {
    if (state.equals("ok")) {
      Long whole = Tree.whole(value);
      return Reading.ok(name, whole == null ? value : whole, unit, source);
    }
    State none = state.equals("denied") ? State.DENIED : State.UNSUPPORTED;
    return Reading.none(name, unit, source, none, value);
  }

  /** The first GPU's name, by the runtime or else by NVML; null where neither knows one. */
  String gpuName() {
    return first("gpu0.name") instanceof String name ? name : null;
  }

  /** Memory of the first GPU in bytes; null if unknown. */
  Long gpuMemoryBytes() {
    return first("gpu0.memory_total_bytes") instanceof Long bytes ? bytes : null;
  }

  /** How many GPUs; null if unknown. */
  Integer gpuCount() {
    return first("gpu_count") instanceof Long count ? (Integer) count.intValue() : null;
  }

  /** The runtime's version, as {@code 12.6}; null without one. */
  String cudaVersion() {
    Object version = value(runtime, "runtime_version");
    // 1000 major + 10 minor, as cudaRuntimeGetVersion has it.
    return version instanceof Long number ? number / 1000 + "." + number % 1000 / 10 : null;
  }

  /** The driver's version; null if unknown. */
  String driverVersion() {
    return value(management, "driver_version") instanceof String version ? version : null;
  }

  private Object first(String key) {
    Object value = value(runtime, key);
    return value == null ? value(management, key) : value;
  }

  private static Object value(Map<String, Reading> readings, String key) {
    Reading reading = readings.get(key);
    return reading == null ? null : reading.value();
  }
}
