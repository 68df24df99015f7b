package org.rpx.agent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SystemCardTest {

  /** The keys, their order and the defaults of rpx_benchmark 0.3.7, save ram_gb: 0.0 there. */
  @Test
  void writesTheKeysOfRpxBenchmarkInItsOrder() {
    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("gpu_name", "");
    expected.put("gpu_memory_gb", 0.0);
    expected.put("gpu_count", 1);
    expected.put("cpu_name", "");
    expected.put("ram_gb", null);
    expected.put("cuda_version", "");
    expected.put("pytorch_version", "");
    expected.put("python_version", "");
    expected.put("precision", "fp32");
    expected.put("batch_size", 1);
    expected.put("input_resolution", "640x480");
    expected.put("os", "");
    expected.put("driver_version", "");

    assertThat(SystemCard.builder().build().toMap().entrySet())
        .containsExactlyElementsOf(expected.entrySet());
  }

  @Test
  void holdsEachFieldUnderItsOwnKey() {
    SystemCard card =
        SystemCard.builder()
            .gpuName("A100")
            .gpuMemoryGb(80.0)
            .gpuCount(2)
            .cpuName("Xeon")
            .ramGb(251.5)
            .cudaVersion("12.1")
            .pytorchVersion("2.10.0")
            .pythonVersion("3.12.1")
            .precision("fp16")
            .batchSize(4)
            .inputResolution("224x224")
            .os("Linux 6.1")
            .driverVersion("550.54")
            .build();

    assertThat(card.toMap().values())
        .containsExactly(
            "A100",
            80.0,
            2,
            "Xeon",
            251.5,
            "12.1",
            "2.10.0",
            "3.12.1",
            "fp16",
            4,
            "224x224",
            "Linux 6.1",
            "550.54");
    assertThat(card.summary())
        .isEqualTo("A100 (80.0GB) | Xeon | PyTorch 2.10.0 | CUDA 12.1 | fp16");
  }

  @Test
  void summaryHoldsGpuMemoryAndPrecision() {
    assertThat(SystemCard.builder().gpuName("A100").gpuMemoryGb(80.0).build().summary())
        .isEqualTo("A100 (80.0GB) | fp32");
  }

  @Test
  void summaryLeavesOutWhatIsUnknown() {
    assertThat(SystemCard.builder().gpuMemoryGb(80.0).build().summary()).isEqualTo("fp32");
    assertThat(SystemCard.builder().cpuName("Xeon").build().summary()).isEqualTo("Xeon | fp32");
    assertThat(
            SystemCard.builder().gpuName("Orin").gpuMemoryGb(null).precision("").build().summary())
        .isEqualTo("Orin");
    assertThat(SystemCard.builder().gpuName(null).cpuName(null).precision(null).build().summary())
        .isEmpty();
  }

  @Test
  void keepsFurtherFactsApart() {
    SystemCard card = SystemCard.builder().more("governor", "powersave").more("cores", 8).build();

    assertThat(card.toMap()).hasSize(13).doesNotContainKeys("governor", "cores");
    assertThat(card.toFullMap()).hasSize(15).containsEntry("gpu_name", "");
    assertThat(card.toFullMap().keySet().stream().skip(12))
        .containsExactly("driver_version", "governor", "cores");
  }

  @Test
  void refusesAFurtherFactThatWouldHideAnother() {
    SystemCard.Builder builder = SystemCard.builder().more("governor", "powersave");

    assertThatThrownBy(() -> builder.more("gpu_name", "other"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'gpu_name'");
    assertThatThrownBy(() -> builder.more("governor", "performance"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'governor'");
  }

  @Test
  void doesNotChangeWithItsBuilder() {
    SystemCard.Builder builder = SystemCard.builder();
    SystemCard card = builder.build();

    builder.more("governor", "powersave");

    assertThat(card.more()).isEmpty();
  }
}
