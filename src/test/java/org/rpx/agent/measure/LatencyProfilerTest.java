package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a test says "as rpx_benchmark", release 0.3.7 gives the same figures. */
class LatencyProfilerTest {

  /** As rpx_benchmark: p95 = 40 + 0.8 x 10, p99 = 40 + 0.96 x 10. */
  @Test
  void givesTheGoldenPercentilesOfFiveSamples() {
    LatencyProfiler profiler = profiler(0, 10, 20, 30, 40, 50);

    assertThat(profiler.percentiles())
        .containsExactly(
            Map.entry("p50_ms", 30.0),
            Map.entry("p95_ms", 48.0),
            Map.entry("p99_ms", 49.6),
            Map.entry("mean_ms", 30.0));
  }

  /** As rpx_benchmark: p95 = 10 + 0.95 x 10. */
  @Test
  void givesTheGoldenPercentilesOfTwoSamples() {
    assertThat(profiler(0, 10, 20).percentiles())
        .containsExactly(
            Map.entry("p50_ms", 15.0),
            Map.entry("p95_ms", 19.5),
            Map.entry("p99_ms", 19.9),
            Map.entry("mean_ms", 15.0));
  }

  /** As rpx_benchmark. */
  @Test
  void dropsTheWarmup() {
    LatencyProfiler profiler = profiler(2, 1000, 1000, 10, 20);

    assertThat(profiler.percentiles()).containsEntry("p50_ms", 15.0).containsEntry("mean_ms", 15.0);
    assertThat(profiler.samplesMs()).containsExactly(1000.0, 1000.0, 10.0, 20.0);
  }

  @Test
  void dropsOneMeasurementByDefault() {
    LatencyProfiler profiler = new LatencyProfiler();
    profiler.addSampleSeconds(1);
    profiler.addSampleSeconds(0.5);

    assertThat(profiler.percentiles()).containsEntry("p50_ms", 500.0);
  }

  @Test
  void keepsAllWhereWarmupWouldLeaveNone() {
    assertThat(profiler(2, 10, 20).percentiles()).containsEntry("p50_ms", 15.0);
    assertThat(profiler(5, 10, 20).percentiles()).containsEntry("p50_ms", 15.0);
  }

  @Test
  void isNullWhereNothingWasAdded() {
    Map<String, Double> figures = new LatencyProfiler().percentiles();

    assertThat(figures.keySet()).containsExactly("p50_ms", "p95_ms", "p99_ms", "mean_ms");
    assertThat(figures.values()).containsOnlyNulls();
  }

  /**
   * A first batch of 8 s and nine of 0.8 s, 8 samples each. Trimming one sample of the first batch
   * leaves seven of 1000 ms among 79 and a p95 of 1000 ms; trimming the batch leaves 100 ms.
   */
  @Test
  void dropsAWholeBatchAsWarmup() {
    LatencyProfiler profiler = new LatencyProfiler(1);
    profiler.addBatchSeconds(8, 8);
    for (int i = 0; i < 9; i++) {
      profiler.addBatchSeconds(0.8, 8);
    }

    assertThat(profiler.percentiles())
        .containsEntry("p95_ms", 100.0)
        .containsEntry("p99_ms", 100.0);
  }

  /**
   * Seven samples of 10 ms and one of 730 ms: timed one by one, p95 = 10 + 0.65 x 720 and p99 = 10
   * + 0.93 x 720. Timed as one batch of 0.8 s there is one figure, and it poses as no more.
   */
  @Test
  void countsABatchAsOneMeasurement() {
    assertThat(profiler(0, 10, 10, 10, 730, 10, 10, 10, 10).percentiles())
        .containsEntry("p50_ms", 10.0)
        .containsEntry("p95_ms", 478.0)
        .containsEntry("p99_ms", 679.6);

    LatencyProfiler batched = new LatencyProfiler(0);
    batched.addBatchSeconds(0.8, 8);
    assertThat(batched.samplesMs()).containsExactly(100.0);
    batched.addBatchSeconds(0.08, 8);
    assertThat(batched.percentiles()).containsEntry("p50_ms", 55.0);
  }

  /** 0.0625 ms is a true tie at 3 places; Python rounds it to the even 0.062. */
  @Test
  void roundsAsPythonDoes() {
    LatencyProfiler profiler = new LatencyProfiler(0);
    profiler.addSampleSeconds(0.0000625);

    assertThat(profiler.samplesMs()).containsExactly(0.0625);
    assertThat(profiler.percentiles()).containsEntry("p50_ms", 0.062);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesWhatIsNoTime(double seconds) {
    assertThatThrownBy(() -> new LatencyProfiler().addSampleSeconds(seconds))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("seconds must be")
        .hasMessageContaining(String.valueOf(seconds));
  }

  @Test
  void refusesAnEmptyBatchAndANegativeWarmup() {
    assertThatThrownBy(() -> new LatencyProfiler().addBatchSeconds(1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("batch must be 1 or more, was 0");
    assertThatThrownBy(() -> new LatencyProfiler(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("warmup must be 0 or more, was -1");
  }

  private static LatencyProfiler profiler(int warmup, double... milliseconds) {
    LatencyProfiler profiler = new LatencyProfiler(warmup);
    for (double each : milliseconds) {
      profiler.addSampleSeconds(each / 1000);
    }
    return profiler;
  }
}
