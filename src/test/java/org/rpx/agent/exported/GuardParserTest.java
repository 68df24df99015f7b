package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.exported.GuardParser.Guard;
import org.rpx.agent.exported.GuardParser.Source;

/** Guards with x of 7 x 3, as CPython reckons them. */
class GuardParserTest {
  private static boolean holds(String text) {
    Guard guard = GuardParser.parse(text);
    Map<String, Long> values = new HashMap<>();
    guard.sources().forEach((name, source) -> values.put(name, source.dimension() == 0 ? 7L : 3L));
    return guard.term().value(values).truth();
  }

  private static String python(String shorthand) {
    return shorthand.replace("x0", "L['x'].size()[0]").replace("x1", "L['x'].size()[1]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x0 == 7",
        "(2*x1) == (x0 + (-1))",
        "x1 >= 0 and x1 <= 3",
        "((x1 + ((-1)*x0)) // 3) == -2",
        "((x1 + ((-1)*x0)) % 3) == 2",
        "-7 // 2 == -4",
        "-7 % 4 == 1",
        "7 % -4 == -1",
        "7.0 // 0.1 == 69 and -5.5 // 2 == -3",
        "5.5 % 0.5 == 0 and -5.5 % 2 == 0.5 and 5.5 % -2 == -0.5 and 1.0 % 0.1 > 0.09",
        "-2**2 == -4",
        "2**3**2 == 512",
        "2 ** -1 == 0.5",
        "x0*x0 > 48",
        "2 ** x0 > 127",
        "x0 / 2 == 3.5",
        "(x0 / x1) > 2.333333333333333",
        "7 / 2 * 2 == 7",
        "1 < x1 < x0 < 8",
        "not (1 < x0 < x1)",
        "1 == 1 == 1",
        "not (3 > 2 > 2)",
        "(3 > 2) + 1 == 2",
        "not x0 == 8",
        "not not x0",
        "not (x0 == 8 or x1 == 8)",
        "True or False and False",
        "not False and True",
        "(0 or x1) == 3",
        "(x0 and x1) == 3",
        "x0 == 7 or x0 // 0 == 1",
        "not (x0 == 8 and x0 % 0 == 1)",
        "max(x1, x0) > 5 and min(x1, x0, 9) == 3",
        "max(1, 1 + (((-3) + x0) // 2))*max(1, x1 // 2) > 2",
        "abs(x1 + ((-1)*x0)) == 4",
        "math.trunc(1.5*torch.sym_float(x0)) == 10",
        "math.trunc(-1.5) == -1",
        "math.floor(-1.5) == -2 and math.ceil(-1.5) == -1",
        "round(x0 / 2) == 4 and round(2.5) == 2",
        "math.sqrt(torch.sym_float(x1)) > 1.7",
        "torch.sym_float(x0) ** 0.5 < 2.65",
        "torch.sym_float(x0) ** (-1.5) < 2.5e+20",
        "1.5e-3 < 0.0016",
        "x0 < math.inf and x0 > -math.inf",
        "9007199254740993 != 9007199254740992.0",
        "0.0 == -0.0",
      })
  void hold(String guard) {
    assertThat(holds(python(guard))).isTrue();
    assertThat(holds(python("not (" + guard + ")"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x0 ==",
        "== x0",
        "x0 = 7",
        "x0 is None",
        "x0 in (7, 8)",
        "x0 << 1 == 14",
        "x0 & 1",
        "not",
        "x0 and",
        "andx0",
        "x0 if x1 else 1",
        "x0 == 'seven'",
        "s0 == 7",
        "Symbol('s0') == 7",
        "Add(x0, 1) == 8",
        "math.sin(x0) < 1",
        "max()",
        "(x0 == 7",
        "x0 == 7)",
        "L",
        "L[",
        "L['",
        "L['x",
        "L['x'",
        "L['x\\",
        "L['\\x41']",
        "L['x'].size()",
        "L['x'].size()[",
        "L['x'].size()[-1] == 7",
        "L['x'].size()[99999999999] == 7",
        "L['x'].size()[0][0]",
        "L['x'].stride()[0] == 1",
        "L['x'].storage_offset() == 0",
        "L['x'].a.size()[0] == 7",
        "__import__('os').system('true')",
        "99999999999999999999 > x0",
      })
  void otherFormsAreNotRead(String guard) {
    assertThatThrownBy(() -> GuardParser.parse(python(guard)))
        .isInstanceOf(ArithmeticException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x0 % 0 == 1",
        "x0 / 0 > 1",
        "x0 // (x1 - 3) == 0",
        "1.5 // 0 == 1",
        "1.5 % 0.0 == 1",
        "torch.sym_float(x1 - 3) ** (-1.5) > 0",
        "0 ** -1 > 0",
      })
  void someDivideByZero(String guard) {
    assertThatThrownBy(() -> holds(python(guard)))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage(Amount.BY_ZERO);
  }

  @Test
  void someNeedMoreThan64Bits() {
    assertThatThrownBy(() -> holds(python("2 ** (64*x0) > 0")))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("overflow");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "L['x'].size()[1] | x | 1",
        "L['rows'] | rows |",
        "L['d']['k'].size()[0] | d,k | 0",
        "L['l'][0][12].size()[0] | l,0,12 | 0",
        "L['d'][\"it's\"].size()[2] | d,it's | 2",
        "L['d']['a\\\\b\\'c'] | d,a\\b'c |",
        "L['d']['two words] and']['é'] | d,two words] and,é |",
      })
  void inputsAreNamedByTheirWay(String text, String keys, Integer dimension) {
    assertThat(GuardParser.parse(text + " != 1").sources())
        .containsExactly(Map.entry(text, new Source(List.of(keys.split(",")), dimension)));
  }

  @Test
  void depthAndLengthAreBounded() {
    for (String open : List.of("(", "-", "not (", "max(1, ", "L[", "1 < (", "2 ** "))
      assertThatThrownBy(() -> GuardParser.parse(open.repeat(12_000) + "1"))
          .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> GuardParser.parse("1 + ".repeat(300_000) + "1"))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("longer than");
    assertThat(holds("1 and ".repeat(10_000) + "1")).isTrue();
    assertThat(holds("not ".repeat(10_000) + "1")).isTrue();
    assertThat(holds("1 < 2 > ".repeat(10_000) + "1")).isTrue();
  }
}
