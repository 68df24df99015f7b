package org.rpx.agent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the card says of recorded machines beyond the fields of rpx_benchmark. */
class BoardsTest {
  @TempDir Path root;

  @ParameterizedTest
  @CsvSource({
    "jetson-nano, NVIDIA Jetson Nano Developer Kit, tegra210 (X1), R32.7.1, MAXN (id 0), 10.2.300, 8.2.1",
    "jetson-xavier-nx, NVIDIA Jetson Xavier NX Developer Kit, tegra194 (Xavier), R35.4.1,"
        + " MODE_10W_4CORE (id 3), 11.4.19, 8.6.0",
    "jetson-agx-orin, NVIDIA Jetson AGX Orin Developer Kit, tegra234 (Orin), R36.4.3, MODE_30W (id 2),"
        + " 12.6.68, 9.3.0",
    "jetson-thor, NVIDIA Jetson AGX Thor Developer Kit, tegra264 (Thor), R38.2.0, 120W (id 1),,"
  })
  void namesABoard(
      String machine,
      String board,
      String soc,
      String l4t,
      String mode,
      String cuda,
      String cudnn) {
    Map<String, Object> more = card(machine);

    assertThat(more)
        .containsEntry("board", board)
        .containsEntry("soc", soc)
        .containsEntry("l4t", l4t)
        .containsEntry("power_mode", mode);
    assertThat(more.get("cuda_toolkit")).isEqualTo(cuda);
    assertThat(more.get("cudnn")).isEqualTo(cudnn);
  }

  @Test
  void namesTheCores() {
    assertThat(cpu("jetson-nano")).startsWith("ARM Cortex-A57 (");
    assertThat(cpu("jetson-xavier-nx")).startsWith("NVIDIA Carmel (");
    assertThat(cpu("jetson-thor")).startsWith("ARM Neoverse-V3AE (");
    assertThat(cpu("laptop")).isEqualTo("11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz");
  }

  @Test
  void tellsHowTheKernelIsSet() {
    assertThat(card("jetson-agx-orin"))
        .containsEntry("kernel_realtime", true)
        .containsEntry("cpus_isolated", "6-7") // of the command line, behind two flags
        .containsEntry("cpus_online", "0-7");
    assertThat(card("x86-server"))
        .containsEntry("kernel_realtime", false)
        .containsEntry("cpus_isolated", "6-7")
        .containsEntry("cuda_toolkit", "12.2.2")
        .containsEntry("cudnn", "8.9.7")
        .containsEntry("swap_devices_gb", Map.of("/swap.img", 8.0));
    assertThat(card("laptop"))
        .containsEntry("kernel_realtime", false)
        .containsEntry("swap_devices_gb", Map.of("/dev/zram0", 2.0))
        .doesNotContainKeys("cpus_isolated", "soc", "l4t", "cudnn");
  }

  @Test
  void takesTheGpusFieldsFromNvidiasLibraries() {
    NvidiaFacts orin =
        NvidiaFacts.of(
            List.of(
                "nvml\tok\t12.540", "gpu_count\tok\t1", "gpu0.name\tunsupported\tNot Supported"),
            List.of(
                "cudart\tok\tlibcudart.so.12",
                "runtime_version\tok\t12060",
                "gpu_count\tok\t1",
                "gpu0.name\tok\tOrin",
                "gpu0.memory_total_bytes\tok\t65890271232"));
    SystemCard card =
        SystemCards.detect(
                Recorded.machine("jetson-agx-orin"),
                new LibraryFacts(null, null, null, null),
                orin,
                Map.of())
            .build();

    assertThat(card.gpuName()).isEqualTo("Orin");
    assertThat(card.gpuCount()).isEqualTo(1);
    assertThat(card.gpuMemoryGb()).isEqualTo(61.4); // 61.3651
    assertThat(card.cudaVersion()).isEqualTo("12.6");
    assertThat(card.driverVersion()).isEqualTo("540.4.0");
    assertThat(((Map<?, ?>) card.more().get("nvml")).get("gpu0.name"))
        .isEqualTo(reading(null, "unsupported", "NVML", "Not Supported"));
  }

  /**
   * The toolkit's text of CUDA 10.2 lacks a patch level in some releases; odd files say nothing.
   */
  @Test
  void makesNothingOfOddFiles() {
    Tree tree = new Tree(root);
    for (String odd :
        List.of("", "\n", "CUDA Version", "{\"cuda\": {}}", "#define CUDNN_MAJOR 9")) {
      Recorded.write(root, "usr/local/cuda/version.json", odd);
      Recorded.write(root, "usr/local/cuda/version.txt", odd);
      Recorded.write(root, "usr/include/cudnn_version.h", odd);
      Recorded.write(root, "proc/swaps", odd);
      Recorded.write(root, "proc/cmdline", odd);
      Recorded.write(root, "proc/device-tree/compatible", odd);
      assertThat(CudaFiles.toolkit(tree)).isNull();
      assertThat(CudaFiles.cudnn(tree)).isNull();
      assertThat(KernelFacts.swaps(tree)).isEmpty();
      assertThat(KernelFacts.isolated(tree)).isNull();
    }
  }

  private static Map<String, Object> reading(
      Object value, String state, String source, String reason) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("value", value);
    map.put("state", state);
    map.put("source", source);
    map.put("reason", reason);
    return map;
  }

  private static Map<String, Object> card(String machine) {
    return detect(machine).more();
  }

  private static String cpu(String machine) {
    return detect(machine).cpuName();
  }

  private static SystemCard detect(String machine) {
    return SystemCards.detect(
            Recorded.machine(machine),
            new LibraryFacts(null, null, null, null),
            NvidiaFacts.NONE,
            Map.of())
        .build();
  }
}
