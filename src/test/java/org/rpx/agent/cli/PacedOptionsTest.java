package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class PacedOptionsTest {
  @ParameterizedTest
  @CsvSource({"30hz, 30", "1khz, 1000", "0.5Hz, 0.5", "2.5 kHz, 2500"})
  void readsRates(String text, double hz) {
    assertThat(new Rates().convert(text)).isEqualTo(hz);
  }

  @ParameterizedTest
  @ValueSource(strings = {"30", "hz", "-1hz", "30ms", "1e3hz", ""})
  void namesTheFormOfARate(String text) {
    assertThatThrownBy(() -> new Rates().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("\"" + text + "\" is no rate: write a number and a unit, 30hz or 1khz");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0hz", "2000khz"})
  void refusesRatesThatAreNone(String text) {
    assertThatThrownBy(() -> new Rates().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("0.001 Hz and 1 MHz");
  }

  @Test
  void readsCpus() {
    assertThat(new CpuList().convert("0-1,3")).containsExactly(0, 1, 3);
    assertThatThrownBy(() -> new CpuList().convert("0-"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("\"0-\" is no list of CPUs: write their numbers, 0,2 or 0-3");
  }
}
