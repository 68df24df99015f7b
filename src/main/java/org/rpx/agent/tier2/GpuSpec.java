package org.rpx.agent.tier2;

/**
 * What a roofline needs to know of one GPU at one precision. The words are those of {@code
 * rpx_benchmark.profiler.GPUSpec}.
 *
 * @param name as a reader knows it, such as {@code A100-80GB}
 * @param peakTflops highest rate at {@code precision}, in 10<sup>12</sup> operations a second
 * @param memoryBwGbps highest bandwidth of the device's memory, in 10<sup>9</sup> bytes a second
 * @param memoryGb size of that memory in 10<sup>9</sup> bytes, or null where unknown
 * @param precision that {@code peakTflops} is for: {@code fp32}, {@code fp16}, …
 */
public record GpuSpec(
    String name, double peakTflops, double memoryBwGbps, Double memoryGb, String precision) {

  /**
   * Checks every field.
   *
   * @throws IllegalArgumentException if a name is blank, the peak or the bandwidth is not a finite
   *     number above 0, or the memory is not a finite number of 0 or more
   */
  public GpuSpec {
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException(
          "name must not be blank; give the GPU's name, such as A100-80GB");
    }
    String where = " of GPU '" + name + "'";
    requirePositive("peakTflops" + where, peakTflops, "TFLOP/s");
    requirePositive("memoryBwGbps" + where, memoryBwGbps, "GB/s");
    if (memoryGb != null && !(Double.isFinite(memoryGb) && memoryGb >= 0)) {
      throw new IllegalArgumentException(
          "memoryGb" + where + " must be 0 or more, was " + memoryGb + "; use null if unknown");
    }
    if (precision == null || precision.isBlank()) {
      throw new IllegalArgumentException(
          "precision"
              + where
              + " must not be blank; give the one that the peak is for, such as fp32");
    }
  }

  /** A spec whose peak is the fp32 one, as {@code GPUSpec} takes it by default. */
  public GpuSpec(String name, double peakTflops, double memoryBwGbps, Double memoryGb) {
    this(name, peakTflops, memoryBwGbps, memoryGb, "fp32");
  }

  private static void requirePositive(String field, double value, String unit) {
    if (!(Double.isFinite(value) && value > 0)) {
      throw new IllegalArgumentException(
          field + " must be a finite number above 0, was " + value + "; give it in " + unit);
    }
  }
}
