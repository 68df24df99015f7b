package org.rpx.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against libraries that play NVIDIA's, in C, with what each answers written down there. */
class NvidiaTest {
  @TempDir Path folder;

  @Test
  void tellsAServersGpus() throws Exception {
    assertThat(Nvidia.management(played("nvml")))
        .startsWith("nvml\tok\t12.535.104.05", "driver_version\tok\t535.104.05", "gpu_count\tok\t2")
        .contains(
            "gpu0.name\tok\tNVIDIA A100-SXM4-80GB",
            "gpu0.pci_bus\tok\t0000:3B:00.0",
            "gpu0.memory_total_bytes\tok\t85899345920",
            "gpu0.memory_used_bytes\tok\t2147483648",
            "gpu0.utilization_percent\tok\t97",
            "gpu0.energy_mj\tok\t5000000000123", // above 32 bits
            "gpu0.power_mw\tok\t312500",
            "gpu0.sm_clock_mhz\tok\t1275",
            "gpu0.sm_clock_max_mhz\tok\t1410",
            "gpu0.memory_clock_mhz\tok\t1593",
            "gpu0.temperature_c\tok\t64",
            "gpu0.throttle_reasons\tok\t36",
            "gpu0.pcie_generation\tok\t4",
            "gpu0.pcie_width\tunsupported\tNot Supported",
            "gpu1.pci_bus\tok\t0000:AF:00.0",
            "gpu1.power_mw\tdenied\tInsufficient Permissions");
  }

  /** NVML starts there and counts one GPU; energy must not go missing in silence. */
  @Test
  void saysWhatAnOrinDoesNotSupport() throws Exception {
    List<String> lines = Nvidia.management(played("nvml", "-DORIN"));

    assertThat(lines).contains("gpu_count\tok\t1", "gpu0.energy_mj\tunsupported\tNot Supported");
    assertThat(lines.stream().filter(line -> line.startsWith("gpu0.")))
        .hasSize(15)
        .allMatch(line -> line.endsWith("\tunsupported\tNot Supported"));
  }

  @Test
  void saysThatTheDriverIsNotLoaded() throws Exception {
    assertThat(Nvidia.management(played("nvml", "-DNO_DRIVER")))
        .containsExactly("nvml\tfailed\tDriver Not Loaded");
  }

  @Test
  void saysThatALibraryIsMissingOrAnother() throws Exception {
    assertThat(Nvidia.management("libnvidia-ml-absent.so"))
        .singleElement()
        .asString()
        .startsWith("nvml\tunsupported\tlibnvidia-ml-absent.so: cannot open");
    String other = played("cudart");
    assertThat(Nvidia.management(other))
        .containsExactly("nvml\tunsupported\t" + other + " is not NVML");
    assertThat(Nvidia.runtime("libcudart-absent.so"))
        .singleElement()
        .asString()
        .startsWith("cudart\tunsupported\tlibcudart-absent.so: cannot open");
  }

  @Test
  void tellsCudasDevices() throws Exception {
    String library = played("cudart");

    assertThat(Nvidia.runtime(library))
        .startsWith(
            "cudart\tok\t" + library,
            "runtime_version\tok\t12060",
            "driver_version\tok\t12080",
            "gpu_count\tok\t1")
        .contains(
            "gpu0.name\tok\tOrin",
            "gpu0.memory_total_bytes\tok\t65890271232",
            "gpu0.memory_free_bytes\tok\t3221225472",
            "gpu0.compute_capability_major\tok\t8",
            "gpu0.compute_capability_minor\tok\t7",
            "gpu0.multiprocessors\tok\t16",
            "gpu0.clock_khz\tok\t1300000",
            "gpu0.integrated\tok\t1",
            "gpu0.memory_clock_khz\tunsupported\toperation not supported");
  }

  @Test
  void saysThatThereIsNoDevice() throws Exception {
    assertThat(Nvidia.runtime(played("cudart", "-DNO_DEVICE")))
        .hasSize(4)
        .contains("driver_version\tunsupported\tno CUDA driver is installed")
        .endsWith("gpu_count\tfailed\tno CUDA-capable device is detected");
  }

  /**
   * Compiles a library of {@code src/test/resources/nvidia}, under a name that no other test has.
   */
  private String played(String name, String... options) throws Exception {
    Path library = folder.resolve("lib" + name + String.join("", options) + ".so");
    Path source = Path.of(NvidiaTest.class.getResource("/nvidia/" + name + ".c").toURI());
    String compiler = System.getenv().getOrDefault("CC", "cc");
    List<String> command = new ArrayList<>(List.of(compiler, "-shared", "-fPIC"));
    command.addAll(List.of(options));
    command.addAll(List.of(source.toString(), "-o", library.toString()));
    Process compile = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(compile.getInputStream().readAllBytes());
    assertThat(compile.waitFor()).as(said).isZero();
    return library.toString();
  }
}
