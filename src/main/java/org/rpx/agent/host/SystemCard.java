package org.rpx.agent.host;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The machine and software that measured figures were taken on: the fields of {@code
 * rpx_benchmark.profiler.SystemCard} and, in {@code more}, what we know beyond them. Any field may
 * be null where it is unknown.
 *
 * @param gpuName empty where there is no GPU
 * @param gpuMemoryGb memory of one GPU in GiB (2<sup>30</sup> bytes), to 1 place
 * @param gpuCount how many GPUs
 * @param cpuName the processor's model
 * @param ramGb host memory in GiB (2<sup>30</sup> bytes), to 1 place
 * @param cudaVersion of the CUDA runtime
 * @param pytorchVersion of LibTorch
 * @param pythonVersion empty where no Python took part
 * @param precision that the model ran at
 * @param batchSize samples in a forward pass
 * @param inputResolution {@code WxH} of the image that goes in
 * @param os name and release
 * @param driverVersion of the GPU's driver
 * @param more facts that {@code rpx_benchmark} has no field for, in the order they were added
 */
public record SystemCard(
    String gpuName,
    Double gpuMemoryGb,
    Integer gpuCount,
    String cpuName,
    Double ramGb,
    String cudaVersion,
    String pytorchVersion,
    String pythonVersion,
    String precision,
    Integer batchSize,
    String inputResolution,
    String os,
    String driverVersion,
    Map<String, Object> more) {

  /** Copies {@code more}, keeping its order. */
  public SystemCard {
    more = Collections.unmodifiableMap(new LinkedHashMap<>(more));
  }

  /**
   * A builder with the defaults of {@code rpx_benchmark}: empty texts, no GPU memory, one GPU,
   * fp32, batch 1, 640x480. Only the host's memory differs: unknown is null here, not 0.
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * A card of this machine. Never throws: what cannot be read is null in a field of {@code
   * rpx_benchmark} and absent from {@code more}, which holds sizes in GiB, clocks in MHz and times
   * in s. The GPU's fields are filled as far as NVIDIA's libraries know them, and all that they
   * said is in {@code nvml} and {@code cuda_runtime} of {@code more}; with {@link NvidiaFacts#NONE}
   * they keep the builder's defaults, for whoever asks the GPU. {@code driver_version} is empty
   * where NVIDIA's driver is not loaded, {@code python_version} null.
   *
   * @param root {@code /}, or a recorded machine's files; see {@link HostFacts#read}
   * @param library which LibTorch ran, and how the model was run
   */
  public static Builder detect(Path root, LibraryFacts library, NvidiaFacts nvidia) {
    return SystemCards.detect(root, library, nvidia);
  }

  /**
   * The machine in the fields of an MLPerf inference submission's {@code systems/*.json}, as texts
   * in the order of MLCommons' checker. One that only the submitter knows (division, cooling, …) or
   * that this machine does not tell is empty, for the submitter to fill in: the checker refuses a
   * field that is absent. Never throws.
   *
   * @param root {@code /}, or a recorded machine's files, for what this card does not hold
   * @param nvidia what the card was made with
   */
  public Map<String, String> mlperf(Path root, NvidiaFacts nvidia) {
    return MlperfSystem.describe(root, this, nvidia);
  }

  /** The card as {@code rpx_benchmark} writes it: its keys, in its order. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("gpu_name", gpuName);
    map.put("gpu_memory_gb", gpuMemoryGb);
    map.put("gpu_count", gpuCount);
    map.put("cpu_name", cpuName);
    map.put("ram_gb", ramGb);
    map.put("cuda_version", cudaVersion);
    map.put("pytorch_version", pytorchVersion);
    map.put("python_version", pythonVersion);
    map.put("precision", precision);
    map.put("batch_size", batchSize);
    map.put("input_resolution", inputResolution);
    map.put("os", os);
    map.put("driver_version", driverVersion);
    return map;
  }

  /** {@link #toMap()}, then {@link #more}. */
  public Map<String, Object> toFullMap() {
    Map<String, Object> map = toMap();
    map.putAll(more);
    return map;
  }

  /** One line of what is known: GPU, CPU, PyTorch, CUDA and precision, between bars. */
  public String summary() {
    StringJoiner line = new StringJoiner(" | ");
    if (known(gpuName)) {
      line.add(gpuMemoryGb == null ? gpuName : gpuName + " (" + gpuMemoryGb + "GB)");
    }
    if (known(cpuName)) {
      line.add(cpuName);
    }
    if (known(pytorchVersion)) {
      line.add("PyTorch " + pytorchVersion);
    }
    if (known(cudaVersion)) {
      line.add("CUDA " + cudaVersion);
    }
    if (known(precision)) {
      line.add(precision);
    }
    return line.toString();
  }

  private static boolean known(String text) {
    return text != null && !text.isEmpty();
  }

  /** Gathers a card field by field; the fields' meanings and units are the card's. */
  public static final class Builder {
    private String gpuName = "";
    private Double gpuMemoryGb = 0.0;
    private Integer gpuCount = 1;
    private String cpuName = "";
    private Double ramGb;
    private String cudaVersion = "";
    private String pytorchVersion = "";
    private String pythonVersion = "";
    private String precision = "fp32";
    private Integer batchSize = 1;
    private String inputResolution = "640x480";
    private String os = "";
    private String driverVersion = "";
    private final Map<String, Object> more = new LinkedHashMap<>();

    private Builder() {}

    /** Empty where there is no GPU. */
    public Builder gpuName(String gpuName) {
      this.gpuName = gpuName;
      return this;
    }

    /** In GiB. */
    public Builder gpuMemoryGb(Double gpuMemoryGb) {
      this.gpuMemoryGb = gpuMemoryGb;
      return this;
    }

    /** How many GPUs. */
    public Builder gpuCount(Integer gpuCount) {
      this.gpuCount = gpuCount;
      return this;
    }

    /** The processor's model. */
    public Builder cpuName(String cpuName) {
      this.cpuName = cpuName;
      return this;
    }

    /** In GiB. */
    public Builder ramGb(Double ramGb) {
      this.ramGb = ramGb;
      return this;
    }

    /** Of the CUDA runtime. */
    public Builder cudaVersion(String cudaVersion) {
      this.cudaVersion = cudaVersion;
      return this;
    }

    /** Of LibTorch. */
    public Builder pytorchVersion(String pytorchVersion) {
      this.pytorchVersion = pytorchVersion;
      return this;
    }

    /** Empty where no Python took part. */
    public Builder pythonVersion(String pythonVersion) {
      this.pythonVersion = pythonVersion;
      return this;
    }

    /** That the model ran at. */
    public Builder precision(String precision) {
      this.precision = precision;
      return this;
    }

    /** Samples in a forward pass. */
    public Builder batchSize(Integer batchSize) {
      this.batchSize = batchSize;
      return this;
    }

    /** {@code WxH}. */
    public Builder inputResolution(String inputResolution) {
      this.inputResolution = inputResolution;
      return this;
    }

    /** Name and release. */
    public Builder os(String os) {
      this.os = os;
      return this;
    }

    /** Of the GPU's driver. */
    public Builder driverVersion(String driverVersion) {
      this.driverVersion = driverVersion;
      return this;
    }

    /**
     * Adds a fact that {@code rpx_benchmark} has no field for.
     *
     * @throws IllegalArgumentException if the key is one of the card's own, or was added before
     */
    public Builder more(String key, Object value) {
      if (build().toFullMap().containsKey(key)) {
        throw new IllegalArgumentException(
            "the card already holds '" + key + "'; choose another key");
      }
      more.put(key, value);
      return this;
    }

    /** The card. */
    public SystemCard build() {
      return new SystemCard(
          gpuName,
          gpuMemoryGb,
          gpuCount,
          cpuName,
          ramGb,
          cudaVersion,
          pytorchVersion,
          pythonVersion,
          precision,
          batchSize,
          inputResolution,
          os,
          driverVersion,
          more);
    }
  }
}
