package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RealTimeTest {

  /** The example of rpx_benchmark 0.3.7: 142.7 ms fits a period of 200 ms, not 100 or 33.3. */
  @Test
  void givesTheGoldenVerdicts() {
    assertThat(RealTime.verdicts(142.7))
        .containsExactly(
            new RealTime(5, 0.713, true),
            new RealTime(10, 1.427, false),
            new RealTime(30, 4.281, false));
  }

  /** 100.04 ms of 100 ms is 1.0004, printed as 1.0: real-time, as rpx_benchmark decides. */
  @Test
  void decidesByTheRoundedValue() {
    assertThat(RealTime.at(100, 10)).isEqualTo(new RealTime(10, 1.0, true));
    assertThat(RealTime.at(100.04, 10)).isEqualTo(new RealTime(10, 1.0, true));
    assertThat(RealTime.at(100.06, 10)).isEqualTo(new RealTime(10, 1.001, false));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesWhatIsNoLatencyOrRate(double value) {
    assertThatThrownBy(() -> RealTime.beta(value, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("p50Ms must be");
    assertThatThrownBy(() -> RealTime.beta(10, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("hz must be");
  }

  @Test
  void refusesARateOfZero() {
    assertThatThrownBy(() -> RealTime.at(10, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hz must be a finite number above 0, was 0.0");
  }
}
