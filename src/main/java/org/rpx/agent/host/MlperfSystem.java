package org.rpx.agent.host;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The machine in the fields of an MLPerf inference submission's {@code systems/*.json}: those that
 * {@code SYSTEM_DESC_REQUIRED_FIELDS} of MLCommons' submission checker lists, in its order.
 */
final class MlperfSystem {
  private final Map<String, String> fields = new LinkedHashMap<>();
  private final SystemCard card;
  private final NvidiaFacts nvidia;

  private MlperfSystem(SystemCard card, NvidiaFacts nvidia) {
    this.card = card;
    this.nvidia = nvidia;
  }

  /** As {@link SystemCard#mlperf} has it. */
  static Map<String, String> describe(Path root, SystemCard card, NvidiaFacts nvidia) {
    MlperfSystem system = new MlperfSystem(card, nvidia);
    system.fill(new Hardware(new Tree(root)), card.more());
    return system.fields;
  }

  private void fill(Hardware hardware, Map<String, Object> more) {
    Map<String, Long> disks = hardware.disks();
    long bytes = 0;
    for (long each : disks.values()) {
      bytes += each;
    }
    boolean gpu = card.gpuName() != null && !card.gpuName().isEmpty();
    Object board = more.get("board");
    // A Jetson's GPU is part of the chip and shares its memory, whether or not CUDA was asked.
    boolean jetson = more.get("l4t") != null;
    put("division", null);
    put("submitter", null);
    put("status", null);
    put("system_name", board == null ? hardware.product() : board);
    put("number_of_nodes", "1");
    put("host_processor_model_name", card.cpuName());
    put("host_processors_per_node", hardware.sockets());
    put("host_processor_core_count", hardware.coresPerSocket());
    put("host_memory_capacity", card.ramGb() == null ? null : card.ramGb() + " GiB");
    put("host_storage_capacity", disks.isEmpty() ? null : decimal(bytes));
    put("host_storage_type", String.join(", ", disks.keySet()));
    put("accelerators_per_node", gpu ? card.gpuCount() : jetson ? "1" : "0");
    Object model = gpu ? card.gpuName() : jetson ? more.get("soc") : "N/A";
    put("accelerator_model_name", model);
    put("accelerator_memory_capacity", jetson ? "shared with the host" : gpu ? memory() : "N/A");
    put("framework", card.pytorchVersion() == null ? null : "LibTorch " + card.pytorchVersion());
    put("operating_system", card.os());
    put("system_type", null);
    put("other_software_stack", software(more));
    put("host_processor_frequency", mhz(more.get("cpu_max_mhz")));
    put("host_processor_caches", hardware.caches());
    put("host_memory_configuration", null);
    put("host_processor_interconnect", null);
    put("host_networking", null);
    put("host_networking_topology", null);
    put("accelerator_frequency", gpu || jetson ? frequency(more) : "N/A");
    put("accelerator_host_interconnect", jetson ? "integrated" : gpu ? pcie() : "N/A");
    put("accelerator_interconnect", gpu || jetson ? null : "N/A");
    put("accelerator_interconnect_topology", gpu || jetson ? null : "N/A");
    put("accelerator_memory_configuration", gpu || jetson ? null : "N/A");
    put("accelerator_on-chip_memories", gpu || jetson ? null : "N/A");
    put("cooling", null);
    put("hw_notes", more.get("power_mode") == null ? null : "power mode " + more.get("power_mode"));
    put("sw_notes", null);
    put("host_network_card_count", hardware.networkInterfaces());
    put("system_type_detail", null);
  }

  private String software(Map<String, Object> more) {
    List<String> parts = new ArrayList<>();
    part(parts, "CUDA ", card.cudaVersion());
    part(parts, "cuDNN ", more.get("cudnn"));
    part(parts, "NVIDIA driver ", card.driverVersion());
    part(parts, "L4T ", more.get("l4t"));
    if (more.get("jvm") instanceof Map<?, ?> jvm) {
      part(parts, "Java ", jvm.get("version"));
    }
    if (more.get("libtorch") instanceof Map<?, ?> libtorch) {
      part(parts, "", libtorch.get("onednn"));
      part(parts, "", libtorch.get("blas"));
    }
    return String.join(", ", parts);
  }

  private static void part(List<String> parts, String name, Object version) {
    if (version != null && !version.toString().isBlank()) {
      parts.add(name + version);
    }
  }

  private String memory() {
    return card.gpuMemoryGb() == null ? null : card.gpuMemoryGb() + " GiB";
  }

  /** The most that NVML, or a Jetson's power mode, lets the GPU run at. */
  private String frequency(Map<String, Object> more) {
    Object mhz = value("gpu0.sm_clock_max_mhz");
    if (mhz == null
        && more.get("sensors") instanceof Map<?, ?> sensors
        && sensors.get("gpu.clock_max") instanceof Map<?, ?> clock) {
      mhz = clock.get("value");
    }
    return mhz instanceof Number number ? Math.round(number.doubleValue()) + " MHz" : null;
  }

  private String pcie() {
    Object generation = value("gpu0.pcie_generation");
    Object width = value("gpu0.pcie_width");
    return generation == null || width == null ? null : "PCIe Gen" + generation + " x" + width;
  }

  private Object value(String key) {
    Reading reading = nvidia.management().get(key);
    return reading == null ? null : reading.value();
  }

  private static String mhz(Object clock) {
    return clock == null ? null : clock + " MHz";
  }

  /** As makers of disks count: 10^9 bytes, to 3 digits. */
  private static String decimal(long bytes) {
    boolean tera = bytes >= 1_000_000_000_000L;
    BigDecimal shown =
        new BigDecimal(bytes)
            .movePointLeft(tera ? 12 : 9)
            .setScale(tera ? 2 : 0, RoundingMode.HALF_EVEN);
    return shown.stripTrailingZeros().toPlainString() + (tera ? " TB" : " GB");
  }

  private void put(String name, Object value) {
    fields.put(name, value == null ? "" : value.toString());
  }
}
