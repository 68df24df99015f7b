package org.rpx.agent.tier2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expected values were printed by Python's {@code round(value, places)} (CPython 3). */
class RoundingTest {

  @ParameterizedTest
  @CsvSource({
    "0.0625, 3, 0.062",
    "-0.0625, 3, -0.062",
    "0.00015, 4, 0.0001",
    "0.00025, 4, 0.0003",
    "2.675, 2, 2.67",
    "-2.675, 2, -2.67",
    "1.0005, 3, 1.0",
    "0.7135, 3, 0.714",
    "0.5, 0, 0.0",
    "1.5, 0, 2.0",
    "2.5, 0, 2.0",
    "1e300, 3, 1e300",
    "-0.0004, 3, -0.0"
  })
  void roundsAsPythonDoes(double value, int places, double expected) {
    // equals() of the boxed value tells 0.0 from -0.0.
    assertThat((Double) Rounding.halfEven(value, places)).isEqualTo((Double) expected);
  }

  @Test
  void letsNanAndInfinitiesThrough() {
    assertThat(Rounding.halfEven(Double.NaN, 3)).isNaN();
    assertThat(Rounding.halfEven(Double.POSITIVE_INFINITY, 3)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(Rounding.halfEven(Double.NEGATIVE_INFINITY, 3)).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  @Test
  void refusesNegativePlaces() {
    assertThatThrownBy(() -> Rounding.halfEven(1, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("places")
        .hasMessageContaining("-1");
  }
}
