package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryProfilerTest {

  /** A source that holds what it is told to. */
  private static class Fake implements PeakSource {
    private Double peakMb;

    Fake(Double peakMb) {
      this.peakMb = peakMb;
    }

    @Override
    public void reset() {
      peakMb = 0.0;
    }

    @Override
    public Double peakMb() {
      return peakMb;
    }
  }

  /** 0.0625 MiB = 65536 bytes: a true tie, to even as Python rounds. */
  @Test
  void givesThePeaksOfItsSourcesToThreePlaces() {
    MemoryProfiler profiler =
        new MemoryProfiler(new Fake(980.4001), new Fake(0.0625), new Fake(3.0));

    assertThat(profiler.peaks())
        .containsExactly(
            Map.entry("cpu_mb", 980.4), Map.entry("cuda_mb", 0.062), Map.entry("mps_mb", 3.0));
  }

  @Test
  void isNullWithoutASourceAndWhereTheSourceDoesNotKnow() {
    Map<String, Double> peaks = new MemoryProfiler(new Fake(null), null, null).peaks();

    assertThat(peaks.keySet()).containsExactly("cpu_mb", "cuda_mb", "mps_mb");
    assertThat(peaks.values()).containsOnlyNulls();
  }

  @Test
  void hasTheNotesOfItsSources() {
    PeakSource missing =
        new Fake(null) {
          @Override
          public String note() {
            return "no CUDA";
          }
        };

    assertThat(new MemoryProfiler(new Fake(1.0), missing, null).notes())
        .containsExactly(Map.entry("cuda_mb", "no CUDA"));
  }

  @Test
  void resetsEverySource() {
    MemoryProfiler profiler = new MemoryProfiler(new Fake(5.0), null, new Fake(7.0));

    profiler.reset();

    assertThat(profiler.peaks())
        .containsEntry("cpu_mb", 0.0)
        .containsEntry("cuda_mb", null)
        .containsEntry("mps_mb", 0.0);
  }
}
