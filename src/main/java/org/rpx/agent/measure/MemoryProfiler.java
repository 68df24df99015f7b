package org.rpx.agent.measure;

import java.util.LinkedHashMap;
import java.util.Map;

/** Peak memory by backend, with the keys of {@code rpx_benchmark.profiler.MemoryProfiler}. */
public final class MemoryProfiler {
  private final Map<String, PeakSource> sources = new LinkedHashMap<>();

  /**
   * Reads the sources given.
   *
   * @param cpu host memory, or null where it is not sampled
   * @param cuda memory of a CUDA device, or null where there is none
   * @param mps memory of an Apple GPU, or null where there is none
   */
  public MemoryProfiler(PeakSource cpu, PeakSource cuda, PeakSource mps) {
    sources.put("cpu_mb", cpu);
    sources.put("cuda_mb", cuda);
    sources.put("mps_mb", mps);
  }

  /** Starts a new peak on every source. */
  public void reset() {
    for (PeakSource source : sources.values()) {
      if (source != null) {
        source.reset();
      }
    }
  }

  /**
   * {@code cpu_mb}, {@code cuda_mb} and {@code mps_mb}, in that order: the peaks since {@link
   * #reset()} in MiB to 3 places, null where there is no source or it does not know.
   */
  public Map<String, Double> peaks() {
    Map<String, Double> peaks = new LinkedHashMap<>();
    sources.forEach((key, source) -> peaks.put(key, rounded(source)));
    return peaks;
  }

  /**
   * What there is to say of peaks, by the keys of {@link #peaks()}: why one is null though it was
   * asked for, or that it was sampled.
   */
  public Map<String, String> notes() {
    Map<String, String> notes = new LinkedHashMap<>();
    sources.forEach(
        (key, source) -> {
          if (source != null && source.note() != null) notes.put(key, source.note());
        });
    return notes;
  }

  private static Double rounded(PeakSource source) {
    Double peak = source == null ? null : source.peakMb();
    return peak == null ? null : Thousandths.round(peak);
  }
}
