package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.measure.MemoryProfiler;
import org.rpx.agent.trace.InputSpec;

/** A device's memory in the module's memory profiler, on the simulated accelerator. */
class AllocatorPeakTest {
  private static final long MIB = 1 << 20;

  @BeforeEach
  void asNew() {
    Simulator.reset();
    LibTorch.operators(Simulator.LIBRARY);
  }

  /**
   * Two layers of 16 x 16: weight and bias in 1536 bytes, each activation of 4096 x 16 in 256 KiB.
   */
  @Test
  void isTheAllocatorsByHand() {
    AllocatorPeak source = AllocatorPeak.of("sim");
    MemoryProfiler profiler = new MemoryProfiler(null, source, null);
    try (NativeSession session = new NativeSession(model(), "sim:0")) {
      session.inputs(List.of(InputSpec.tensor("float32", 4096, 16)), 0);
      profiler.reset();
      double held = (1536 + MIB / 4) / (double) MIB;
      assertThat(source.peakMb()).as("weights and input").isEqualTo(held);

      session.run();
      assertThat(source.peakMb()).as("a layer's result and the next one's").isEqualTo(held + 0.5);
      assertThat(profiler.peaks()).containsEntry("cuda_mb", 0.751); // 0.7514…

      profiler.reset();
      assertThat(source.peakMb()).as("the output stays").isEqualTo(held + 0.25);
      assertThat(profiler.notes()).isEmpty();
    }
  }

  private static Path model() {
    return Path.of("src/test/resources/models/tied.pt");
  }

  @Test
  void aMissingDeviceHasANoteAndNoPeak() {
    AllocatorPeak source = AllocatorPeak.of("sim:1");
    MemoryProfiler profiler = new MemoryProfiler(null, source, null);
    profiler.reset();

    assertThat(profiler.peaks()).containsEntry("cuda_mb", null);
    assertThat(profiler.notes())
        .containsExactly(Map.entry("cuda_mb", "no sim:1: there is only 1, counted from 0"));
  }

  @Test
  void everyBackendOfTheModuleCanBeAskedFor() {
    MemoryProfiler profiler = Rpx.memoryProfiler(true, true, true);
    profiler.reset();
    Map<String, Double> peaks = profiler.peaks();

    for (String key : List.of("cuda_mb", "mps_mb"))
      if (peaks.get(key) == null) assertThat(profiler.notes()).containsKey(key);
    assertThat(Rpx.memoryProfiler(true, false, false).notes()).doesNotContainKey("cuda_mb");
  }

  /** As on MPS: the driver holds 2, 5 and 3 MiB when it is looked at. */
  @Test
  void whatCountsNoPeakIsSampled() {
    Map<String, Long> told = new HashMap<>(Map.of("allocated", MIB, "reserved", 2 * MIB));
    AllocatorPeak source = new AllocatorPeak(reset -> told, null);
    source.reset();
    assertThat(source.peakMb()).isEqualTo(2);
    told.put("reserved", 5 * MIB);
    assertThat(source.peakMb()).isEqualTo(5);
    told.put("reserved", 3 * MIB);
    assertThat(source.peakMb()).isEqualTo(5);
    assertThat(source.note()).startsWith("sampled: ");

    source.reset();
    assertThat(source.peakMb()).isEqualTo(3);
  }

  @Test
  void whatTellsNothingIsUnknown() {
    AllocatorPeak source = new AllocatorPeak(reset -> Map.of(), null);

    assertThat(source.peakMb()).isNull();
    assertThat(source.note()).contains("2.9 and later do");
  }
}
