package org.rpx.agent.tier2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpuSpecTest {

  @Test
  void isFp32UnlessToldOtherwise() {
    assertThat(new GpuSpec("Mine", 5, 500, 8.0))
        .isEqualTo(new GpuSpec("Mine", 5.0, 500.0, 8.0, "fp32"));
  }

  @Test
  void letsMemoryBeUnknown() {
    assertThat(new GpuSpec("Mine", 5, 500, null).memoryGb()).isNull();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesAPeakOrBandwidthThatIsNotAboveZero(double value) {
    assertThatThrownBy(() -> new GpuSpec("Mine", value, 500, 8.0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("peakTflops of GPU 'Mine'")
        .hasMessageContaining(String.valueOf(value));
    assertThatThrownBy(() -> new GpuSpec("Mine", 5, value, 8.0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memoryBwGbps of GPU 'Mine'")
        .hasMessageContaining(String.valueOf(value));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesNegativeMemory(double value) {
    assertThatThrownBy(() -> new GpuSpec("Mine", 5, 500, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memoryGb of GPU 'Mine'")
        .hasMessageContaining("use null if unknown");
  }

  @Test
  void refusesBlankTexts() {
    assertThatThrownBy(() -> new GpuSpec(" ", 5, 500, 8.0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name must not be blank");
    assertThatThrownBy(() -> new GpuSpec(null, 5, 500, 8.0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name must not be blank");
    assertThatThrownBy(() -> new GpuSpec("Mine", 5, 500, 8.0, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("precision of GPU 'Mine' must not be blank");
  }
}
