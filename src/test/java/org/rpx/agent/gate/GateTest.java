package org.rpx.agent.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.gate.Gate.Verdict;

class GateTest {
  @ParameterizedTest
  @CsvSource({
    // limit, estimate, its interval: a limit inside the interval could go either way
    "p99_ms<=33, 30, 29, 32, PASSED",
    "p99_ms<=33, 30, 29, 33, PASSED",
    "p99_ms<=33, 30, 29, 33.5, INCONCLUSIVE",
    "p99_ms<=33, 34, 33, 35, INCONCLUSIVE",
    "p99_ms<=33, 35, 33.1, 36, FAILED",
    "throughput_per_s>=30, 40, 30, 50, PASSED",
    "throughput_per_s>=30, 29, 25, 31, INCONCLUSIVE",
    "throughput_per_s >= 30, 28, 26, 29.9, FAILED",
  })
  void judgesAnEstimateByItsInterval(
      String text, double value, double low, double high, Verdict verdict) {
    Gate gate = Gate.parse(text);
    assertThat(gate.judge(Map.of(gate.figure(), Figure.estimate(value, low, high)), null).verdict())
        .isEqualTo(verdict);
  }

  @Test
  void judgesACountExactly() {
    assertThat(Gate.parse("flops<=2e9").judge(Map.of("flops", Figure.exact(2e9)), null).verdict())
        .isEqualTo(Verdict.PASSED);
    assertThat(
            Gate.parse("flops<=2e9").judge(Map.of("flops", Figure.exact(2e9 + 1)), null).verdict())
        .isEqualTo(Verdict.FAILED);
  }

  @ParameterizedTest
  @CsvSource({
    // the limit is 105; 1 % of the base adds about 1 to an exact value's interval
    "103.5, 103.5, 103.5, PASSED",
    "104.5, 104.5, 104.5, INCONCLUSIVE",
    "105.5, 105.5, 105.5, INCONCLUSIVE",
    "108, 107, 109, FAILED",
  })
  void comparesWithABase(double value, double low, double high, Verdict verdict) {
    Gate gate = Gate.parse("p50_ms<=+5% vs base.json");
    // Of the base itself 1 % each way.
    Map<String, Figure> base = Map.of("p50_ms", Figure.estimate(100, 99, 101));
    assertThat(gate.base()).isEqualTo(Path.of("base.json"));
    assertThat(gate.judge(Map.of("p50_ms", Figure.estimate(value, low, high)), base).verdict())
        .isEqualTo(verdict);
  }

  @Test
  void addsTheHalfWidthsInQuadrature() {
    Gate.Result result =
        Gate.parse("p50_ms<=+5% vs base.json")
            .judge(
                Map.of("p50_ms", Figure.estimate(100, 97, 103)),
                Map.of("p50_ms", Figure.estimate(100, 96, 104)));
    assertThat(result.low()).isEqualTo(95);
    assertThat(result.high()).isEqualTo(105);
    assertThat(result.limit()).isEqualTo(105);
    assertThat(result.verdict()).isEqualTo(Verdict.PASSED);
  }

  @Test
  void everyShareOfNothingIsNothing() {
    Gate gate = Gate.parse("params<=+5% vs base.json");
    Map<String, Figure> none = Map.of("params", Figure.exact(0));
    assertThat(gate.judge(none, none).verdict()).isEqualTo(Verdict.PASSED);
    assertThat(gate.judge(Map.of("params", Figure.exact(1)), none).verdict())
        .isEqualTo(Verdict.FAILED);
  }

  @Test
  void saysWhyAnUnknownFigureIsInconclusive() {
    Gate.Result result =
        Gate.parse("p99_ms<=33")
            .judge(Map.of("p99_ms", Figure.unsure(12.0, "20 samples are too few")), null);
    assertThat(result.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(result.why()).isEqualTo("p99_ms: 20 samples are too few");
  }

  @Test
  void namesTheFiguresThereAre() {
    assertThatThrownBy(() -> Gate.parse("p9_ms<=1").judge(Map.of("p50_ms", Figure.exact(1)), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no figure \"p9_ms\" (--gate): there are p50_ms");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "p50_ms",
        "p50_ms=3",
        "p50_ms<3",
        "p50_ms<=",
        "p50_ms<=three",
        "p50_ms<=5%",
        "p50_ms<=5 vs base.json",
        "p50_ms<=-100% vs base.json",
        "p50 ms<=3",
        "p50_ms<=NaN",
      })
  void refusesWhatIsNoGate(String text) {
    assertThatThrownBy(() -> Gate.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("\"" + text + "\" (--gate) ")
        .hasMessageEndingWith("as 'p99_ms<=33' or 'p50_ms<=+5% vs base.json'");
  }
}
