package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A recursive-descent parser of {@link FlopExpression}. */
final class FlopExpressionParser {
  private static final int DEEPEST = 100;
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern OPERAND = Pattern.compile("(in|out|arg)(\\d{1,6})");
  private static final Map<String, LongBinaryOperator> SUMS =
      Map.of("+", Math::addExact, "-", Math::subtractExact);
  private static final Map<String, LongBinaryOperator> PRODUCTS = new LinkedHashMap<>();

  static {
    PRODUCTS.put("*", Math::multiplyExact);
    PRODUCTS.put("//", FlopTerm::floorDiv); // before "/", which it begins with
    PRODUCTS.put("/", FlopTerm::floorDiv);
    PRODUCTS.put("%", Math::floorMod);
  }

  private final FlopExpressionText text;
  private int depth;

  FlopExpressionParser(FlopExpressionText text) {
    this.text = text;
  }

  /** An op's name and the "=" after it. */
  static String op(FlopExpressionText text) {
    int start = text.position();
    String name = text.name();
    if (name.isEmpty()) throw text.expected("the name of an op");
    if (text.take("::")) {
      String own = text.name();
      if (own.isEmpty()) throw text.expected("the name of an op after \"::\"");
      name = name + "::" + own;
    } else name = "aten::" + name;
    // A trace names ops without their overload: such a rule would never be used.
    if (name.startsWith("aten::") && name.indexOf('.') > 0) {
      String plain = name.substring(0, name.indexOf('.'));
      throw text.expected("an op without its overload, as " + plain, start);
    }
    if (!text.take("=")) throw text.expected("\"=\" after the name of the op");
    return name;
  }

  FlopRule whole() {
    FlopTerm term = sum();
    if (!text.atEnd()) throw text.expected("an operator or the end");
    return call -> {
      long flops = term.value(call);
      if (flops < 0) throw new ArithmeticException("negative: " + flops);
      return flops;
    };
  }

  private FlopTerm sum() {
    return chain(SUMS, () -> chain(PRODUCTS, this::factor));
  }

  private FlopTerm chain(Map<String, LongBinaryOperator> operators, Supplier<FlopTerm> part) {
    FlopTerm first = part.get();
    List<LongBinaryOperator> steps = new ArrayList<>();
    List<FlopTerm> others = new ArrayList<>();
    for (LongBinaryOperator next = any(operators); next != null; next = any(operators)) {
      steps.add(next);
      others.add(part.get());
    }
    return steps.isEmpty() ? first : FlopTerm.fold(first, steps, others);
  }

  private LongBinaryOperator any(Map<String, LongBinaryOperator> operators) {
    for (String sign : operators.keySet()) if (text.take(sign)) return operators.get(sign);
    return null;
  }

  private FlopTerm factor() {
    if (!text.take("-")) return primary();
    FlopTerm term = deeper(this::factor);
    return call -> Math.negateExact(term.value(call));
  }

  private FlopTerm primary() {
    if (text.take("(")) return closed(deeper(this::sum), ")");
    int start = text.position();
    String word = text.word();
    if (NUMBER.matcher(word).matches()) return number(word, start);
    switch (word) {
      case "min":
        return function(Math::min, Integer.MAX_VALUE);
      case "max":
        return function(Math::max, Integer.MAX_VALUE);
      case "ceil_div":
        return function(FlopTerm::ceilDiv, 2);
      default:
        Matcher operand = OPERAND.matcher(word);
        if (operand.matches()) {
          int n = Integer.parseInt(operand.group(2));
          return operand.group(1).equals("arg") ? argument(n) : tensor(operand.group(1), n);
        }
        String what = "a whole number, in0, out0, arg0, min(, max(, ceil_div( or (";
        throw text.expected(what, start);
    }
  }

  private FlopTerm number(String digits, int start) {
    try {
      long value = Long.parseLong(digits);
      return call -> value;
    } catch (NumberFormatException e) {
      throw text.expected("a number of at most " + Long.MAX_VALUE, start);
    }
  }

  private FlopTerm function(LongBinaryOperator step, int exactly) {
    boolean two = exactly == 2;
    if (!text.take("(")) throw text.expected("\"(\"");
    FlopTerm first = deeper(this::sum);
    List<FlopTerm> others = new ArrayList<>();
    while (!(two && others.size() == 1) && text.take(",")) others.add(deeper(this::sum));
    if (two && others.isEmpty()) throw text.expected("\",\" and a second number");
    return closed(FlopTerm.fold(first, Collections.nCopies(others.size(), step), others), ")");
  }

  private FlopTerm tensor(String side, int n) {
    if (text.take("[")) {
      FlopTerm index = closed(deeper(this::sum), "]");
      return call -> FlopTerm.tensor(call, side, n).size(Math.toIntExact(index.value(call)));
    }
    if (!text.take(".")) throw text.expected(".numel, .rank, .bytes or [i] after " + side + n);
    int start = text.position();
    switch (text.word()) {
      case "numel":
        return call -> FlopTerm.tensor(call, side, n).elements();
      case "rank":
        return call -> FlopTerm.tensor(call, side, n).rank();
      case "bytes":
        return call -> FlopTerm.bytes(FlopTerm.tensor(call, side, n));
      default:
        throw text.expected("numel, rank or bytes", start);
    }
  }

  private FlopTerm argument(int n) {
    if (!text.take("[")) return call -> FlopTerm.integer(call.arguments().get(n));
    FlopTerm index = closed(deeper(this::sum), "]");
    return call -> FlopTerm.item(call.arguments().get(n), index.value(call));
  }

  private FlopTerm deeper(Supplier<FlopTerm> part) {
    if (++depth > DEEPEST) throw text.expected("at most " + DEEPEST + " levels of nesting");
    FlopTerm term = part.get();
    depth--;
    return term;
  }

  private FlopTerm closed(FlopTerm term, String sign) {
    if (!text.take(sign)) throw text.expected("an operator or \"" + sign + "\"");
    return term;
  }
}
