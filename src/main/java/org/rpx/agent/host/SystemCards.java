package org.rpx.agent.host;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Fills system cards from the machine. */
final class SystemCards {
  private SystemCards() {}

  /** As {@link SystemCard#detect} has it. */
  static SystemCard.Builder detect(Path root, LibraryFacts library, NvidiaFacts nvidia) {
    return detect(root, library, nvidia, System.getenv());
  }

  static SystemCard.Builder detect(
      Path root, LibraryFacts library, NvidiaFacts nvidia, Map<String, String> environment) {
    HostFacts host = HostFacts.read(root);
    SystemCard.Builder card =
        SystemCard.builder()
            .cpuName(host.cpuName())
            .ramGb(gib(host.ramBytes()))
            .cudaVersion(nvidia.cudaVersion())
            .pytorchVersion(library.libtorch().get("libtorch_version"))
            .pythonVersion(null)
            .precision(library.precision())
            .batchSize(library.batchSize())
            .inputResolution(library.inputResolution())
            .os(host.os())
            .driverVersion(driver(host, nvidia));
    if (nvidia.gpuName() != null) {
      card.gpuName(nvidia.gpuName())
          .gpuMemoryGb(gib(nvidia.gpuMemoryBytes()))
          .gpuCount(nvidia.gpuCount());
    }
    Tree tree = new Tree(root);
    add(card, "libtorch", library.libtorch());
    add(card, "board", host.board());
    add(card, "soc", JetsonFacts.soc(tree));
    add(card, "l4t", host.l4t());
    add(card, "power_mode", host.powerMode());
    add(card, "cuda_toolkit", CudaFiles.toolkit(tree));
    add(card, "cudnn", CudaFiles.cudnn(tree));
    add(card, "kernel", host.kernel());
    add(card, "kernel_realtime", KernelFacts.realTime(tree));
    add(card, "cpus_isolated", KernelFacts.isolated(tree));
    add(card, "cpus_online", tree.text("sys/devices/system/cpu/online"));
    add(card, "governor", host.governor());
    add(card, "cpu_min_mhz", host.minMhz());
    add(card, "cpu_max_mhz", host.maxMhz());
    add(card, "cores_online", host.logicalCores());
    add(card, "cores_allowed", host.coresAllowed());
    add(card, "cores_available", host.coresAvailable());
    add(card, "container_limits", host.containerLimits());
    add(card, "memory_available_gb", gib(host.memoryAvailableBytes()));
    add(card, "swap_total_gb", gib(host.swapTotalBytes()));
    add(card, "swap_free_gb", gib(host.swapFreeBytes()));
    add(card, "swap_devices_gb", KernelFacts.swaps(tree));
    add(card, "load_average", host.loadAverage());
    add(card, "uptime_s", host.uptimeSeconds());
    add(card, "jvm", JvmFacts.read(tree, environment));
    add(card, "environment", ResultEnvironment.of(environment));
    add(card, "sensors", byName(Sensors.read(tree)));
    add(card, "nvml", byName(nvidia.management().values()));
    add(card, "cuda_runtime", byName(nvidia.runtime().values()));
    return card;
  }

  private static String driver(HostFacts host, NvidiaFacts nvidia) {
    String driver = host.nvidiaDriver() == null ? nvidia.driverVersion() : host.nvidiaDriver();
    return driver == null ? "" : driver;
  }

  private static Map<String, Object> byName(Collection<Reading> readings) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (Reading reading : readings) {
      map.put(reading.name(), reading.toMap());
    }
    return map;
  }

  private static void add(SystemCard.Builder card, String key, Object value) {
    if (value != null && !(value instanceof Map<?, ?> map && map.isEmpty())) {
      card.more(key, value);
    }
  }

  private static Double gib(Long bytes) {
    return bytes == null ? null : HostFacts.gib(bytes);
  }
}
