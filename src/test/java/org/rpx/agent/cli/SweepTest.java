package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SweepTest {
  @Test
  void readsAnOptionAndItsValues() {
    assertThat(Sweep.parse("threads=1,2,4"))
        .isEqualTo(new Sweep("threads", List.of("1", "2", "4")));
  }

  @Test
  void leavesCommasInsideBrackets() {
    assertThat(Sweep.parse("input=(1x3,2x4),[8,{a=1,b=2}],x:5").values())
        .containsExactly("(1x3,2x4)", "[8,{a=1,b=2}]", "x:5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "threads", "threads=", "threads=1,,2", "color=red", "=1"})
  void refusesWhatIsNoSweep(String text) {
    assertThatThrownBy(() -> Sweep.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + text + "\" (--sweep)");
  }

  @Test
  void goesThroughEveryCombination() {
    assertThat(Sweep.points(List.of(Sweep.parse("threads=1,2"), Sweep.parse("batch=4,8"))))
        .containsExactly(
            Map.of("threads", "1", "batch", "4"),
            Map.of("threads", "1", "batch", "8"),
            Map.of("threads", "2", "batch", "4"),
            Map.of("threads", "2", "batch", "8"));
  }

  @Test
  void refusesAnOptionTwice() {
    assertThatThrownBy(
            () -> Sweep.points(List.of(Sweep.parse("threads=1"), Sweep.parse("threads=2"))))
        .hasMessageContaining("is given twice");
  }

  @Test
  void handsOnTheOtherWords() {
    Words words =
        new Words(
            List.of(
                "measure", "m.pt", "--sweep", "threads=1,2", "--json=x", "--quiet", "--seed=3"));
    assertThat(words.without(List.of("--sweep", "--json"), "--quiet"))
        .containsExactly("measure", "m.pt", "--seed=3");
  }
}
