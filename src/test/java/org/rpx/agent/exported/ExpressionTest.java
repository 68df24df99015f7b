package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes as sympy writes them, with s0 = 7 and s1 = 3. */
class ExpressionTest {
  private static long value(String text) {
    return Expression.parse(text).value(Map.of("s0", 7L, "s1", 3L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Symbol('s0', positive=True, integer=True) | 7",
        "Add(Mul(Integer(2), Symbol('s0', integer=True)), Integer(-1)) | 13",
        "Add(FloorDiv(Add(Symbol('s0'), Integer(-1)), Integer(2)), Integer(1)) | 4",
        "TruncToInt(Mul(Float('1.5', precision=53), ToFloat(Symbol('s0')))) | 10",
        "TruncToInt(IntTrueDiv(Symbol('s0'), Integer(2))) | 3",
        "CeilToInt(IntTrueDiv(Symbol('s0'), Integer(2))) | 4",
        "RoundToInt(Float('2.5', precision=53)) | 2",
        "Max(Integer(1), Symbol('s0'), Symbol('s1')) | 7",
        "Min(Integer(8), Symbol('s0')) | 7",
        "Mod(Symbol('s0'), Integer(4)) | 3",
        "PythonMod(Mul(Integer(-1), Symbol('s0')), Integer(4)) | 1",
        "ModularIndexing(Symbol('s0'), Integer(2), Integer(2)) | 1",
        "CleanDiv(Mul(Symbol('s0'), Symbol('s1')), Symbol('s1')) | 7",
        "CeilDiv(Symbol('s0'), Integer(2)) | 4",
        "Mul(Rational(1, 7), Symbol('s0')) | 1",
        "Pow(Symbol('s1'), Integer(2)) | 9",
        "Mul(Symbol('s0'), Pow(Integer(7), Integer(-1))) | 1",
        "PowByNatural(Integer(1), Integer(1000000000000)) | 1",
        "PowByNatural(Integer(-1), Integer(1000000000001)) | -1",
        "Where(GreaterThan(Symbol('s0'), Integer(3)), Integer(1), FloorDiv(Integer(1), Integer(0)))"
            + " | 1",
        "Where(And(Equality(Symbol('s0'), Integer(7)), Not(true)), Integer(1), Integer(2)) | 2",
        "s0 | 7",
        "2*s0 + 1 | 15",
        "s0*s1 - 2*(s1 - 1) | 17",
        "(s0 + 1)//2 | 4",
        "((s0 - 1)//2) + 1 | 4",
        "-s0//2 | -4",
        "-7 % 4 | 1",
        "s0 % 4 | 3",
        "-2**2 | -4",
        "2**3**2 | 512",
        "floor(s0/2) | 3",
        "ceiling(s0/2) | 4",
        "trunc(-7/2) | -3",
        "Abs(s1 - s0) | 4",
        "Max(1, s0//s1) | 2",
        "1.5*2 | 3",
      })
  void isReckoned(String text, long value) {
    assertThat(value(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "s9",
        "s0/2",
        "s0//0",
        "s0 % 0",
        "Rational(1, 0)",
        "Sinus(s0)",
        "FloorDiv(s0)",
        "Max()",
        "(s0",
        "s0)",
        "s0 +",
        "s0 s1",
        "2 ** ** 2",
        "Symbol(s0)",
        "Symbol('s0'",
        "Integer(99999999999999999999)",
        "9223372036854775807 + 1",
        "PowByNatural(3, 1000000000000)",
        "2**64",
        "Float('inf')",
        "1e300*1e300",
        "0.5",
        "s0[1]",
        "__import__('os')",
      })
  void isRefused(String text) {
    assertThatThrownBy(() -> value(text)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void depthAndWidthAreBounded() {
    assertThatThrownBy(() -> value("(".repeat(50_000) + "1" + ")".repeat(50_000)))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> value("-".repeat(50_000) + "1"))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> value("1*".repeat(40_000) + "1"))
        .isInstanceOf(ArithmeticException.class);
    assertThat(value("1+".repeat(40_000) + "1")).isEqualTo(40_001);
    // Each level reckons its argument once: twice would be 2^100 steps.
    String nested = "s0";
    for (int i = 0; i < 100; i++) nested = "Abs(Where(1, " + nested + ", 0))";
    String deep = nested;
    assertThatThrownBy(() -> value(deep)).isInstanceOf(ArithmeticException.class);
    String allowed = "s0";
    for (int i = 0; i < 70; i++) allowed = "Abs(" + allowed + ")";
    assertThat(value(allowed)).isEqualTo(7);
  }
}
