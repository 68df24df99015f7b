package org.rpx.agent.tier1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.rpx.agent.tier1.Calls.args;
import static org.rpx.agent.tier1.Calls.call;
import static org.rpx.agent.tier1.Calls.longs;
import static org.rpx.agent.tier1.Calls.tensor;
import static org.rpx.agent.tier1.Calls.typed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.trace.OpCall;

/** Values are worked out by hand; division and remainder are Python's {@code //} and {@code %}. */
class FlopExpressionTest {
  /**
   * in0 is (2,3) float32, in1 (3,4) and in2 (5,6,7) float16 come in a list, out0 is (2,4), out1 is
   * a scalar. Arguments: 0 in0, 1 None, 2 the list, 3 the number 7, 4 true, 5 [10,20,30], 6 0.5.
   */
  private static final OpCall CALL =
      new OpCall(
          "my::op",
          "",
          null,
          args(
              tensor(2, 3),
              null,
              Arrays.asList(null, tensor(3, 4), typed("float16", 5, 6, 7)),
              7,
              true,
              longs(10, 20, 30),
              0.5),
          args(tensor(2, 4), tensor()));

  private static final FlopRegistry STANDARD = FlopRegistry.standard();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 0",
        "9223372036854775807 | 9223372036854775807",
        "2+3*4 | 14",
        "(2+3)*4 | 20",
        "20-5-3 | 12",
        "20-(5-3) | 18",
        "100/5/2 | 10",
        "100/(5/2) | 50",
        "7//2 | 3",
        "7/2*2 | 6",
        "2*7/2 | 7",
        "17%5*2 | 4",
        "2+17%5 | 4",
        "2--3 | 5",
        "2*-3+10 | 4",
        "--4 | 4",
        "-(2-9) | 7",
        // Rounded down, as Python's -7//2 == -4, -7%2 == 1 and 7%-2 == -1.
        "10+-7/2 | 6",
        "10+7/-2 | 6",
        "-7%2 | 1",
        "10+7%-2 | 9",
        "min(4,2,3) | 2",
        "max(4,2,9,3) | 9",
        "min(5) | 5",
        "max(1, min(8, 2*3)) | 6",
        "ceil_div(7,2) | 4",
        "ceil_div(8,2) | 4",
        "ceil_div(0,3) | 0",
        "10+ceil_div(-7,2) | 7",
        "10+ceil_div(7,-2) | 7",
        "ceil_div(-7,-2) | 4",
        "ceil_div(ceil_div(100,8),4) | 4",
        " ( 1 + 2 ) * 3 | 9",
        "((((((((((1)))))))))) | 1",
        "9223372036854775806 + 1 | 9223372036854775807",
        "-9223372036854775807 - 1 + 9223372036854775807 + 1 | 0",
      })
  void reckons(String formula, long value) {
    assertThat(FlopExpression.parse(formula).flops(CALL)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "in0.numel | 6",
        "in0.rank | 2",
        "in0.bytes | 24",
        "in1.numel | 12",
        "in2.rank | 3",
        "in2.numel | 210",
        "in2.bytes | 420",
        "in2[0] | 5",
        "in2[2] | 7",
        "in2[-1] | 7",
        "in2[-3] | 5",
        "out0.numel | 8",
        "out1.rank | 0",
        "out1.numel | 1",
        "out1.bytes | 4",
        "arg3 | 7",
        "arg4 | 1",
        "arg5[0] | 10",
        "arg5[-1] | 30",
        "in2[in0.rank - 1] + in2[arg3 - 6] | 12",
        "in0 . numel + in1 [ 0 ] + arg5 [ 1 ] | 29",
        // A product of (2,3) and (3,4): 2·m·n·k = 2·2·4·3.
        "2*in0.numel*in1[1] | 48",
        "2*out0.numel*in0[-1] | 48",
      })
  void readsTheCall(String formula, long value) {
    assertThat(FlopExpression.parse(formula).flops(CALL)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775807+1",
        "-9223372036854775807-2+9223372036854775807",
        "4611686018427387904*2",
        "-(-9223372036854775807-1)",
        "(-9223372036854775807-1)/-1",
        "ceil_div(-9223372036854775807-1,-1)",
        "1/0",
        "1//(in0.rank-2)",
        "1%0",
        "ceil_div(1,0)",
        "in3.numel",
        "in999999.rank",
        "out2[0]",
        "in0[2]",
        "in0[-3]",
        "in0[4294967296]",
        "out1[0]",
        "arg7",
        "arg0",
        "arg1",
        "arg5",
        "arg6",
        "arg3[0]",
        "arg2[0]",
        "arg5[3]",
        "arg5[-4]",
        "3-5",
        "0*in3.numel",
        "min(0,1/0)",
      })
  void isUnknownWhereItDoesNotFitTheCall(String formula) {
    FlopRegistry registry = FlopExpression.addTo(STANDARD, List.of("my::op=" + formula));

    assertThat(registry.flops(CALL)).isNull();
    assertThatThrownBy(() -> FlopExpression.parse(formula).flops(CALL))
        .isInstanceOf(RuntimeException.class);
  }

  @Test
  void hugeTensorsAreUnknown() {
    OpCall huge = call("my::op", args(tensor(3_000_000_000L, 3_000_000_000L)));

    // 9·10^18 elements fit into 64 bits, 4 bytes of each do not.
    assertThat(FlopExpression.parse("in0.numel").flops(huge)).isEqualTo(9_000_000_000_000_000_000L);
    assertThat(FlopExpression.addTo(STANDARD, List.of("my::op=in0.bytes")).flops(huge)).isNull();
  }

  @Test
  void aRuleNamesItsOp() {
    assertThat(FlopExpression.rule("my::op=3").getKey()).isEqualTo("my::op");
    assertThat(FlopExpression.rule(" my_lib.sub::op.v2 = 3").getKey())
        .isEqualTo("my_lib.sub::op.v2");
    assertThat(FlopExpression.rule("relu=in0.numel").getKey()).isEqualTo("aten::relu");
    assertThat(FlopExpression.rule("my::op=3").getValue().flops(CALL)).isEqualTo(3);
  }

  @Test
  void rulesComeBeforeTheRegistrysOwn() {
    OpCall relu = call("relu", args(tensor(2, 3)), tensor(2, 3));
    OpCall inPlace = call("relu_", args(tensor(2, 3)), tensor(2, 3));
    OpCall mm = call("mm", args(tensor(2, 3), tensor(3, 4)), tensor(2, 4));
    FlopRegistry own =
        FlopExpression.addTo(
            STANDARD, List.of("relu=in0.numel", "aten::mm=out0.numel", "my::op=1"));

    assertThat(STANDARD.flops(relu)).isZero();
    assertThat(own.flops(relu)).isEqualTo(6);
    assertThat(own.flops(inPlace)).isEqualTo(6);
    assertThat(own.flops(mm)).isEqualTo(8);
    assertThat(STANDARD.flops(CALL)).isNull();
    assertThat(own.flops(CALL)).isEqualTo(1);
    assertThat(FlopExpression.addTo(STANDARD, List.of())).isSameAs(STANDARD);
  }

  /** The examples of docs/method.md. */
  @Test
  void examples() {
    OpCall linear = call("my::fused_linear", args(tensor(8, 64), tensor(32, 64)), tensor(8, 32));
    OpCall deformed =
        call(
            "torchvision::deform_conv2d",
            args(tensor(1, 8, 28, 28), tensor(16, 8, 3, 3), tensor(1, 18, 28, 28)),
            tensor(1, 16, 28, 28));
    OpCall sums = call("cumsum", args(tensor(4, 10), 1, null), tensor(4, 10));

    assertThat(documented("my::fused_linear").flops(linear)).isEqualTo(2 * 512 * 32);
    assertThat(documented("torchvision::deform_conv2d").flops(deformed)).isEqualTo(1_806_336);
    // Each of 4 rows of 10 is 9 additions.
    assertThat(documented("aten::cumsum").flops(sums)).isEqualTo(36);
  }

  @Test
  void refusesTwoRulesForOneOp() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FlopExpression.addTo(STANDARD, List.of("relu=1", "aten::relu=2")))
        .withMessageContainingAll("aten::relu=2", "--flop-rule", "aten::relu has a rule already");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | 1 | the name of an op | the end",
        "=3 | 1 | the name of an op | \"=\"",
        "my:op=3 | 3 | \"=\" after the name | \":\"",
        "my::=3 | 5 | name of an op after | \"=\"",
        "my::op | 7 | \"=\" after the name | the end",
        "my::op 3 | 8 | \"=\" after the name | \"3\"",
        "a::b::c=3 | 5 | \"=\" after the name | \":\"",
        "aten::add.Tensor=3 | 1 | as aten::add | \"aten\"",
        "my::op= | 8 | a whole number | the end",
        "my::op==3 | 8 | a whole number | \"=\"",
        "my::op=2*in0.nume | 14 | numel, rank or bytes | \"nume\"",
        "my::op=2*in0. | 14 | numel, rank or bytes | the end",
        "my::op=in0 | 11 | .numel, .rank, .bytes or [i] after in0 | the end",
        "my::op=in0*2 | 11 | .numel, .rank, .bytes or [i] after in0 | \"*\"",
        "my::op=in.numel | 8 | in0 | \"in\"",
        "my::op=in1234567.numel | 8 | in0 | \"in1234567\"",
        "my::op=in-1.numel | 8 | in0 | \"in\"",
        "my::op=foo(2) | 8 | a whole number | \"foo\"",
        "my::op=(1+2 | 12 | \")\" | the end",
        "my::op=1+2) | 11 | an operator or the end | \")\"",
        "my::op=in0[1 | 13 | \"]\" | the end",
        "my::op=in0[] | 12 | a whole number | \"]\"",
        "my::op=arg0.numel | 12 | an operator or the end | \".\"",
        "my::op=1.5 | 9 | an operator or the end | \".\"",
        "my::op=1e9 | 8 | a whole number | \"1e9\"",
        "my::op=2in0.numel | 8 | a whole number | \"2in0\"",
        "my::op=1 2 | 10 | an operator or the end | \"2\"",
        "my::op=2**3 | 10 | a whole number | \"*\"",
        "my::op=+3 | 8 | a whole number | \"+\"",
        "my::op=1+ | 10 | a whole number | the end",
        "my::op=9223372036854775808 | 8 | at most 9223372036854775807 | \"9223372036854775808\"",
        "my::op=min | 11 | \"(\" | the end",
        "my::op=min() | 12 | a whole number | \")\"",
        "my::op=min(1,) | 14 | a whole number | \")\"",
        "my::op=ceil_div(1) | 18 | a second number | \")\"",
        "my::op=ceil_div(1,2,3) | 20 | \")\" | \",\"",
        "my::op=٣ | 8 | a whole number | \"٣\"",
      })
  void saysWhatIsWrong(String text, int column, String expected, String found) {
    assertThat(message(text))
        .startsWith("FLOP rule \"%s\" (--flop-rule): column %d: expected ".formatted(text, column))
        .contains(expected)
        .endsWith(", found " + found + ". Write a rule as my::op=2*in0.numel*in1[0]");
  }

  @Test
  void anErrorIsOneShortLine() {
    String text = "my::op=" + "1+".repeat(4000) + "\u2028x\n\r\u0000y";

    assertThat(message(text)).contains("column 8009: ").doesNotContain("\u2028");
    assertThat(message(text).chars().filter(Character::isISOControl)).isEmpty();
    assertThat(message(text)).hasSizeLessThan(400);
    assertThat(message("my::op=" + "z".repeat(9000))).hasSizeLessThan(400);
  }

  @Test
  void isBounded() {
    String longest = "1+".repeat(4999) + "10";
    assertThat(longest).hasSize(10_000);
    assertThat(FlopExpression.parse(longest).flops(CALL)).isEqualTo(4999 + 10);
    assertThat(message("my::op=" + "1".repeat(10_000))).contains("10007 characters", "10000");

    String deepest = "(".repeat(100) + "1" + ")".repeat(100);
    assertThat(FlopExpression.parse(deepest).flops(CALL)).isEqualTo(1);
    assertThat(FlopExpression.parse("-".repeat(100) + "1").flops(CALL)).isEqualTo(1);
    // Side by side is not nested.
    assertThat(FlopExpression.parse("(1)+".repeat(500) + "(1)").flops(CALL)).isEqualTo(501);
    for (String open : List.of("(", "-", "min(", "in0[", "arg0[", "ceil_div(1,")) {
      assertThat(message("my::op=" + open.repeat(800))).contains("at most 100 levels of nesting");
    }
  }

  @Test
  void anyTextIsARuleOrAnIllegalArgument() {
    Random random = new Random(7);
    String[] values =
        "0 1 7 9223372036854775807 in0.numel in1[0] in1[-7] in9.rank out0.bytes arg3 arg5[1] (1-7)"
            .split(" ");
    String[] signs = "+ - * / // %".split(" ");
    String[] others =
        ("( ) [ ] , . = :: in0 out0 arg5 min( max( ceil_div( [0] .numel my aten \u00e9 \ud83d \u0000"
                + " "
                + String.join(" ", values)
                + " + -")
            .split(" ");
    int read = 0;
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder(i % 10 == 0 ? "" : "my::op=");
      int length = 1 + 2 * random.nextInt(6);
      for (int n = 0; n < length; n++) {
        // In turn: any characters, any words, and values between signs.
        if (i % 3 == 0) text.append((char) random.nextInt(0x250));
        else if (i % 3 == 1) text.append(any(others, random));
        else text.append(any(n % 2 == 0 ? values : signs, random));
      }
      FlopRegistry registry;
      try {
        registry = FlopExpression.addTo(STANDARD, List.of(text.toString()));
        read++;
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).contains("--flop-rule").doesNotContainPattern("\\R");
        continue;
      }
      Long flops = registry.flops(CALL);
      assertThat(flops == null || flops >= 0).as(text.toString()).isTrue();
    }
    assertThat(read).isGreaterThan(500);
  }

  private static FlopRegistry documented(String op) {
    try {
      String page = Files.readString(Path.of("docs/method.md"));
      Matcher rule = Pattern.compile("\\| `(" + op + "=[^`]+)` \\|").matcher(page);
      assertThat(rule.find()).as(op).isTrue();
      return FlopExpression.addTo(STANDARD, List.of(rule.group(1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String any(String[] words, Random random) {
    return words[random.nextInt(words.length)];
  }

  private static String message(String text) {
    try {
      FlopExpression.rule(text);
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
    throw new AssertionError("no error: " + text);
  }
}
