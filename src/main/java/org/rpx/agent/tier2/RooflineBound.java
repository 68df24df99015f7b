package org.rpx.agent.tier2;

/**
 * The least time that one forward pass can take on one GPU: {@code max(FLOPs / peak, bytes /
 * bandwidth)} (Williams, Waterman and Patterson, "Roofline", CACM 52(4), 2009). It is a lower bound
 * only where the spec's peak is that of the precision which runs.
 *
 * @param gpuName the spec's name, unchanged
 * @param computeMs milliseconds at the peak rate, 0 or more
 * @param memoryMs milliseconds at the peak bandwidth, 0 or more
 * @param latencyMs the larger of the two
 * @param bottleneck {@code compute} or {@code memory}; a tie is {@code compute}
 */
public record RooflineBound(
    String gpuName, double computeMs, double memoryMs, double latencyMs, String bottleneck) {

  /** What {@link #bottleneck} holds where arithmetic takes at least as long as memory. */
  public static final String COMPUTE = "compute";

  /** What {@link #bottleneck} holds where memory takes longer. */
  public static final String MEMORY = "memory";

  /**
   * Checks the bottleneck's name.
   *
   * @throws IllegalArgumentException if it is neither {@code compute} nor {@code memory}
   */
  public RooflineBound {
    if (!COMPUTE.equals(bottleneck) && !MEMORY.equals(bottleneck)) {
      throw new IllegalArgumentException(
          "bottleneck must be 'compute' or 'memory', was '" + bottleneck + "'");
    }
  }

  /**
   * The bound from raw counts, not rounded: tiny models keep a bound above 0.
   *
   * @param flops floating-point operations of one forward pass, 0 or more
   * @param bytes moved to and from the device's memory, 0 or more
   * @throws IllegalArgumentException if either count is negative or not finite
   */
  public static RooflineBound of(double flops, double bytes, GpuSpec gpu) {
    requireCount("flops", flops);
    requireCount("bytes", bytes);
    // peak: 1e12 a second is 1e9 a millisecond; bandwidth: 1e9 a second is 1e6 a millisecond.
    return larger(gpu, flops / (gpu.peakTflops() * 1e9), bytes / (gpu.memoryBwGbps() * 1e6));
  }

  /**
   * The bound as {@code rpx_benchmark} writes it: both times rounded to 4 places first, then
   * compared, so that a difference below 0.1 µs is a tie.
   *
   * @param flopsG 10<sup>9</sup> floating-point operations of one forward pass, 0 or more
   * @param trafficGb 10<sup>9</sup> bytes moved, 0 or more
   * @throws IllegalArgumentException if either is negative or not finite
   */
  public static RooflineBound rounded(double flopsG, double trafficGb, GpuSpec gpu) {
    requireCount("flopsG", flopsG);
    requireCount("trafficGb", trafficGb);
    // Seconds first and then x 1000, in the order of rpx_benchmark: another order differs by an
    // ulp,
    // and with that by a digit where the value lies on a tie.
    double computeMs = flopsG / (gpu.peakTflops() * 1e3) * 1e3;
    double memoryMs = trafficGb / gpu.memoryBwGbps() * 1e3;
    return larger(gpu, Rounding.halfEven(computeMs, 4), Rounding.halfEven(memoryMs, 4));
  }

  private static RooflineBound larger(GpuSpec gpu, double computeMs, double memoryMs) {
    String bottleneck = computeMs >= memoryMs ? COMPUTE : MEMORY;
    return new RooflineBound(
        gpu.name(), computeMs, memoryMs, Math.max(computeMs, memoryMs), bottleneck);
  }

  private static void requireCount(String name, double value) {
    if (!(Double.isFinite(value) && value >= 0)) {
      throw new IllegalArgumentException(
          name
              + " must be a finite number of 0 or more, was "
              + value
              + "; where it is unknown there is no bound to reckon");
    }
  }
}
