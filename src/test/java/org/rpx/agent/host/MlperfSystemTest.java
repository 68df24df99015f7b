package org.rpx.agent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MlperfSystemTest {
  /**
   * SYSTEM_DESC_REQUIRED_FIELDS of tools/submission/submission_checker/constants.py, round v6.0.
   */
  private static final List<String> REQUIRED =
      List.of(
          "division",
          "submitter",
          "status",
          "system_name",
          "number_of_nodes",
          "host_processor_model_name",
          "host_processors_per_node",
          "host_processor_core_count",
          "host_memory_capacity",
          "host_storage_capacity",
          "host_storage_type",
          "accelerators_per_node",
          "accelerator_model_name",
          "accelerator_memory_capacity",
          "framework",
          "operating_system",
          "system_type",
          "other_software_stack",
          "host_processor_frequency",
          "host_processor_caches",
          "host_memory_configuration",
          "host_processor_interconnect",
          "host_networking",
          "host_networking_topology",
          "accelerator_frequency",
          "accelerator_host_interconnect",
          "accelerator_interconnect",
          "accelerator_interconnect_topology",
          "accelerator_memory_configuration",
          "accelerator_on-chip_memories",
          "cooling",
          "hw_notes",
          "sw_notes",
          "host_network_card_count",
          "system_type_detail");

  @TempDir Path root;

  @Test
  void describesAServerWithGpus() {
    NvidiaFacts nvidia =
        NvidiaFacts.of(
            List.of(
                "nvml\tok\t12.535.104.05",
                "driver_version\tok\t535.104.05",
                "gpu_count\tok\t2",
                "gpu0.name\tok\tNVIDIA A100-SXM4-80GB",
                "gpu0.memory_total_bytes\tok\t85899345920",
                "gpu0.sm_clock_max_mhz\tok\t1410",
                "gpu0.pcie_generation\tok\t4",
                "gpu0.pcie_width\tok\t16"),
            List.of("cudart\tok\tlibcudart.so.12", "runtime_version\tok\t12080"));
    Map<String, String> fields = describe("x86-server", nvidia);

    assertThat(fields.keySet()).containsExactlyElementsOf(REQUIRED);
    assertThat(fields)
        .containsEntry("system_name", "Dell Inc. PowerEdge R750")
        .containsEntry("host_processors_per_node", "2")
        .containsEntry("host_processor_core_count", "2") // of each, two threads a core
        .containsEntry("host_memory_capacity", "251.5 GiB")
        // (7501476528 + 35156656128) * 512 = 21.84 * 10^12; the stick is left out
        .containsEntry("host_storage_capacity", "21.84 TB")
        .containsEntry("host_storage_type", "NVMe SSD, HDD")
        .containsEntry("host_processor_caches", "L1d 48 KiB, L1i 32 KiB, L2 1280 KiB, L3 48 MiB")
        .containsEntry("host_processor_frequency", "3200 MHz")
        .containsEntry("host_network_card_count", "2")
        .containsEntry("accelerators_per_node", "2")
        .containsEntry("accelerator_model_name", "NVIDIA A100-SXM4-80GB")
        .containsEntry("accelerator_memory_capacity", "80.0 GiB")
        .containsEntry("accelerator_frequency", "1410 MHz")
        .containsEntry("accelerator_host_interconnect", "PCIe Gen4 x16")
        .containsEntry("framework", "LibTorch 2.10.0")
        .containsEntry("operating_system", "Ubuntu 22.04.4 LTS, Linux 5.15.0-116-generic");
    assertThat(fields.get("other_software_stack"))
        .startsWith("CUDA 12.8, cuDNN 8.9.7, NVIDIA driver 535.104.05, Java ");
    assertThat(fields).containsEntry("division", "").containsEntry("cooling", "");
  }

  /** The checker takes "0", and not a number 0, for a machine without accelerators. */
  @Test
  void describesAMachineWithoutAccelerators() {
    assertThat(describe("laptop", NvidiaFacts.NONE))
        .containsEntry("accelerators_per_node", "0")
        .containsEntry("accelerator_model_name", "N/A")
        .containsEntry("accelerator_frequency", "N/A")
        .containsEntry("host_processors_per_node", "1")
        .containsEntry("host_processor_core_count", "4");
  }

  @Test
  void describesAJetsonWhoseCudaWasNotAsked() {
    Map<String, String> fields = describe("jetson-xavier-nx", NvidiaFacts.NONE);

    assertThat(fields)
        .containsEntry("system_name", "NVIDIA Jetson Xavier NX Developer Kit")
        .containsEntry("accelerators_per_node", "1")
        .containsEntry("accelerator_model_name", "tegra194 (Xavier)")
        .containsEntry("accelerator_frequency", "803 MHz") // 803.25
        .containsEntry("accelerator_memory_capacity", "shared with the host")
        .containsEntry("accelerator_host_interconnect", "integrated")
        .containsEntry("hw_notes", "power mode MODE_10W_4CORE (id 3)");
    assertThat(fields.get("other_software_stack")).startsWith("cuDNN 8.6.0, L4T R35.4.1, Java ");
  }

  @Test
  void leavesEmptyWhatNobodyTells() {
    Map<String, String> fields =
        MlperfSystem.describe(root, SystemCard.builder().build(), NvidiaFacts.NONE);

    assertThat(fields.keySet()).containsExactlyElementsOf(REQUIRED);
    assertThat(fields.values()).doesNotContain("null", "0.0");
    assertThat(fields).containsEntry("host_processor_core_count", "");
  }

  private static Map<String, String> describe(String machine, NvidiaFacts nvidia) {
    Path files = Recorded.machine(machine);
    LibraryFacts library = new LibraryFacts(Map.of("libtorch_version", "2.10.0"), null, null, null);
    SystemCard card = SystemCards.detect(files, library, nvidia, Map.of()).build();
    return MlperfSystem.describe(files, card, nvidia);
  }
}
