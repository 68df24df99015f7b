package org.rpx.agent.tier2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rounded values are those that rpx_benchmark 0.3.7 gives. */
class RooflineBoundTest {

  @ParameterizedTest
  @CsvSource({
    "100, 0.01, 10, 1000, compute, 10.0",
    "1, 1, 100, 100, memory, 10.0",
    "10, 0.6, 5, 500, compute, 2.0",
    // flops 50, params 300 (traffic 3.6)
    "50, 3.6, 19.5, 2039, compute, 2.5641",
    "50, 3.6, 82.6, 1008, memory, 3.5714",
    "50, 3.6, 5.3, 204.8, memory, 17.5781",
    // flops 50, params 100 (traffic 1.2)
    "50, 1.2, 19.5, 2039, compute, 2.5641",
    "50, 1.2, 82.6, 1008, memory, 1.1905",
    "50, 1.2, 5.3, 204.8, compute, 9.434",
    // flops 10, params 50 (traffic 0.6)
    "10, 0.6, 19.5, 2039, compute, 0.5128",
    "10, 0.6, 82.6, 1008, memory, 0.5952",
    "10, 0.6, 5.3, 204.8, memory, 2.9297",
    // flops 100, params 100
    "100, 1.2, 19.5, 2039, compute, 5.1282",
    "100, 1.2, 82.6, 1008, compute, 1.2107",
    "100, 1.2, 5.3, 204.8, compute, 18.8679"
  })
  void givesTheGoldenBounds(
      double flopsG,
      double trafficGb,
      double peak,
      double bandwidth,
      String bottleneck,
      double latencyMs) {
    RooflineBound bound =
        RooflineBound.rounded(flopsG, trafficGb, new GpuSpec("Mine", peak, bandwidth, 8.0));

    assertThat(bound.gpuName()).isEqualTo("Mine");
    assertThat(bound.bottleneck()).isEqualTo(bottleneck);
    assertThat(bound.latencyMs()).isEqualTo(latencyMs);
    assertThat(bottleneck.equals("compute") ? bound.computeMs() : bound.memoryMs())
        .isEqualTo(latencyMs);
  }

  /** 1.00004 ms against 1.00001 ms: both round to 1.0, and a tie is compute. */
  @Test
  void comparesAfterRoundingAndCallsATieCompute() {
    GpuSpec gpu = new GpuSpec("Mine", 1, 1000, 8.0);

    assertThat(RooflineBound.rounded(1.00001, 1.00004, gpu))
        .isEqualTo(new RooflineBound("Mine", 1.0, 1.0, 1.0, "compute"));
    assertThat(RooflineBound.of(1.00001e9, 1.00004e9, gpu).bottleneck()).isEqualTo("memory");
    assertThat(RooflineBound.of(1e9, 1e9, gpu))
        .isEqualTo(new RooflineBound("Mine", 1.0, 1.0, 1.0, "compute"));
  }

  /**
   * 1000 parameters of 4 bytes and 2000 FLOPs: the rounded bound is 0, the raw one is 2000 /
   * 19.5e12 s = 1.0256e-7 ms of arithmetic and 12000 / 2039e9 s = 5.8852e-6 ms of traffic.
   */
  @Test
  void keepsATinyModelsRawBound() {
    GpuSpec a100 = new GpuSpec("A100-80GB", 19.5, 2039, 80.0);

    RooflineBound raw = RooflineBound.of(2000, 12000, a100);

    assertThat(raw.computeMs()).isCloseTo(1.0256e-7, within(1e-11));
    assertThat(raw.memoryMs()).isCloseTo(5.8852e-6, within(1e-10));
    assertThat(raw.latencyMs()).isEqualTo(raw.memoryMs());
    assertThat(raw.bottleneck()).isEqualTo("memory");
    assertThat(RooflineBound.rounded(2e-6, 1.2e-5, a100).latencyMs()).isZero();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesCountsThatAreNone(double value) {
    GpuSpec gpu = new GpuSpec("Mine", 1, 1000, 8.0);

    assertThatThrownBy(() -> RooflineBound.of(value, 1, gpu))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("flops must be");
    assertThatThrownBy(() -> RooflineBound.of(1, value, gpu))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("bytes must be");
    assertThatThrownBy(() -> RooflineBound.rounded(value, 1, gpu))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("flopsG must be");
    assertThatThrownBy(() -> RooflineBound.rounded(1, value, gpu))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("trafficGb must be");
  }

  @Test
  void refusesAnUnknownBottleneck() {
    assertThatThrownBy(() -> new RooflineBound("Mine", 1, 1, 1, "Compute"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'Compute'");
  }
}
