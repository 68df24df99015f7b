package org.rpx.agent.host;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a machine did while something was measured on it. Immutable.
 *
 * @param seconds how long the stretch was
 * @param samples how often the figures in {@code series} were read
 * @param series what rose and fell, by name: {@code cpu.clock} in MHz (the highest of the CPUs),
 *     {@code temperature.…} in C, {@code power.…} in mW, {@code gpu.…}, and {@code gpu0.…} of NVML
 * @param counts what only grows, by name: {@code thread.…} of the timed thread, {@code swap.…} of
 *     the machine in pages, {@code gc.…} of this JVM, {@code energy.…} in J
 * @param gpuSlowed what slowed GPUs down, as {@code gpu0: power cap}
 * @param load who kept the CPUs busy
 * @param cpu how the CPUs are set
 * @param cost what the sampling itself took
 */
public record TelemetrySummary(
    double seconds,
    int samples,
    Map<String, Series> series,
    Map<String, Count> counts,
    List<String> gpuSlowed,
    Load load,
    CpuSetting cpu,
    Cost cost) {

  /** Copies the lists and maps, keeping their order. */
  public TelemetrySummary {
    series = Collections.unmodifiableMap(new LinkedHashMap<>(series));
    counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    gpuSlowed = List.copyOf(gpuSlowed);
  }

  /**
   * How the CPUs are set; each may be null where it is unknown.
   *
   * @param governor at the start, {@code mixed} where CPUs differ
   * @param governorAtEnd at the end
   * @param minMhz the lowest clock allowed
   * @param maxMhz the highest clock allowed
   * @param baseMhz the clock that the maker promises for all cores at once
   * @param coresAvailable CPUs' worth of time that this process may take
   */
  public record CpuSetting(
      String governor,
      String governorAtEnd,
      Integer minMhz,
      Integer maxMhz,
      Integer baseMhz,
      Double coresAvailable) {}

  /**
   * What the sampling thread took.
   *
   * @param cpuMsPerS its CPU time in each second of the stretch, in ms; null where the JVM does not
   *     tell
   * @param longestSampleMs the longest time that one sample took, in ms
   */
  public record Cost(Double cpuMsPerS, double longestSampleMs) {}

  /**
   * What spoils a measurement that ran meanwhile, each code at most once; empty where nothing does.
   * The thresholds and their sources: docs/method.md.
   *
   * @param threads that computed at the same time; null where that is not known
   */
  public List<MachineFlag> flags(Integer threads) {
    return MachineFlags.of(this, threads);
  }

  /** Everything, in the words of the JSON report. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("seconds", seconds);
    map.put("samples", samples);
    Map<String, Object> telemetryCost = new LinkedHashMap<>();
    telemetryCost.put("cpu_ms_per_s", cost.cpuMsPerS());
    telemetryCost.put("longest_sample_ms", cost.longestSampleMs());
    map.put("telemetry_cost", telemetryCost);
    Map<String, Object> cpus = new LinkedHashMap<>();
    cpus.put("governor", cpu.governor());
    cpus.put("governor_at_end", cpu.governorAtEnd());
    cpus.put("min_mhz", cpu.minMhz());
    cpus.put("max_mhz", cpu.maxMhz());
    cpus.put("base_mhz", cpu.baseMhz());
    cpus.put("cores_available", cpu.coresAvailable());
    map.put("cpu", cpus);
    Map<String, Object> busy = new LinkedHashMap<>();
    busy.put("own_cores", load.ownCores());
    busy.put("others_cores", load.othersCores());
    busy.put("steal_cores", load.stealCores());
    busy.put("involuntary_switches", load.involuntarySwitches());
    map.put("load", busy);
    Map<String, Object> moving = new LinkedHashMap<>();
    series.forEach((name, figure) -> moving.put(name, figure.toMap()));
    map.put("series", moving);
    Map<String, Object> growing = new LinkedHashMap<>();
    counts.forEach((name, count) -> growing.put(name, count.toMap()));
    map.put("counts", growing);
    map.put("gpu_slowed", gpuSlowed);
    return map;
  }
}
