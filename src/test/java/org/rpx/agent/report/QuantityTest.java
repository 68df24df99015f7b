package org.rpx.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 ns",
    "0.000001, 1.000 ns",
    "0.003, 3.000 µs",
    "0.0123456, 12.35 µs",
    "0.99994, 999.9 µs",
    "0.99996, 1.000 ms",
    "142.7, 142.7 ms",
    "999.96, 1.000 s",
    "12345, 12.34 s",
    "12345678, 12350 s",
    "0.0000001234, 0.1234 ns",
  })
  void timesHaveFourDigitsAndTheUnitThatFits(double ms, String expected) {
    assertThat(Quantity.time(ms).text()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 FLOP",
    "7, 7 FLOP",
    "999, 999 FLOP",
    "1000, 1.000 kFLOP",
    "999960, 1.000 MFLOP",
    "2000000000, 2.000 GFLOP",
    "50051000000, 50.05 GFLOP",
    "156.866e9, 156.9 GFLOP",
    "3.2e12, 3.200 TFLOP",
    "13.888, 13.89 FLOP",
    "0.25, 0.2500 FLOP",
  })
  void countsHavePrefixes(double number, String expected) {
    assertThat(Quantity.count(number, "FLOP").text()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "24, 24 MiB",
    "512.5, 512.5 MiB",
    "1023.4, 1023 MiB",
    "1023.96, 1.000 GiB",
    "1536, 1.500 GiB"
  })
  void mebibytesStepBy1024(double mib, String expected) {
    assertThat(Quantity.mebibytes(mib).text()).isEqualTo(expected);
  }
}
