package org.rpx.agent.exported;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;

/**
 * A size that symbols decide, as sympy writes it: {@code Add(Mul(Integer(2), Symbol('s0',
 * integer=True)), Integer(1))} in files of torch 2.6 and later, {@code 2*s0 + 1} in older ones.
 */
final class Expression {
  /** A part of it. */
  interface Term {
    Amount value(Map<String, Long> symbols);
  }

  private final Term term;
  private final Set<String> symbols;

  Expression(Term term, Set<String> symbols) {
    this.term = term;
    this.symbols = symbols;
  }

  /**
   * Reads one.
   *
   * @throws ArithmeticException where it is malformed, or has a function that is not known here
   */
  static Expression parse(String text) {
    Set<String> symbols = new LinkedHashSet<>();
    return new Expression(new ExpressionParser(text, symbols).whole(), symbols);
  }

  Set<String> symbols() {
    return symbols;
  }

  /**
   * Its value.
   *
   * @throws ArithmeticException where it is not whole, or does not fit into 64 bits
   */
  long value(Map<String, Long> values) {
    return term.value(values).whole();
  }

  /** A symbol's value; it has to have one. */
  static Term symbol(String name) {
    return values -> {
      Long value = values.get(name);
      if (value == null) throw new ArithmeticException(name + " is not known");
      return Amount.whole(value);
    };
  }

  /**
   * A function by sympy's or PyTorch's name. Arguments are only reckoned where they are used, and
   * once: twice in each of nested functions would take for ever.
   */
  static Term call(String name, List<Term> arguments) {
    checkKnown(name);
    Function function = FUNCTIONS.get(name);
    int least = function.least;
    int most = function.most;
    if (arguments.size() < least || arguments.size() > most)
      throw new ArithmeticException(name + " of " + arguments.size() + " arguments");
    return values -> function.body.apply(new Arguments(arguments, values));
  }

  static void checkKnown(String function) {
    if (!FUNCTIONS.containsKey(function))
      throw new ArithmeticException("\"" + function + "\" is no function that is known here");
  }

  private record Arguments(List<Term> terms, Map<String, Long> values) {
    Amount get(int i) {
      return terms.get(i).value(values);
    }

    int compare() {
      return get(0).compare(get(1));
    }

    Amount fold(BinaryOperator<Amount> step) {
      Amount result = get(0);
      for (int i = 1; i < terms.size(); i++) result = step.apply(result, get(i));
      return result;
    }
  }

  private record Function(
      int least, int most, java.util.function.Function<Arguments, Amount> body) {}

  private static final Map<String, Function> FUNCTIONS = functions();

  private static Map<String, Function> functions() {
    Map<String, Function> all = new HashMap<>();
    int any = Integer.MAX_VALUE;
    put(all, "Add", 1, any, a -> a.fold(Amount::plus));
    put(all, "Mul", 1, any, a -> a.fold(Amount::times));
    put(all, "Max", 1, any, a -> a.fold((x, y) -> x.compare(y) >= 0 ? x : y));
    put(all, "Min", 1, any, a -> a.fold((x, y) -> x.compare(y) <= 0 ? x : y));
    put(all, "And", 1, any, a -> a.fold((x, y) -> Amount.of(x.truth() && y.truth())));
    put(all, "Or", 1, any, a -> a.fold((x, y) -> Amount.of(x.truth() || y.truth())));
    put(all, "Not", 1, 1, a -> Amount.of(!a.get(0).truth()));
    put(all, "Pow PowByNatural FloatPow", 2, 2, a -> a.get(0).power(a.get(1)));
    put(all, "Integer Identity ToInt", 1, 1, a -> a.get(0));
    put(all, "Float ToFloat", 1, 1, a -> Amount.real(a.get(0).value()));
    put(all, "Rational", 2, 2, a -> a.get(0).over(a.get(1)));
    put(all, "IntTrueDiv FloatTrueDiv", 2, 2, a -> a.get(0).realOver(a.get(1)));
    put(all, "FloorDiv CleanDiv", 2, 2, a -> a.get(0).floorOver(a.get(1)));
    put(all, "CeilDiv", 2, 2, a -> a.get(0).over(a.get(1)).ceiling());
    put(all, "Mod PythonMod", 2, 2, a -> a.get(0).modulo(a.get(1)));
    put(all, "ModularIndexing", 3, 3, a -> a.get(0).over(a.get(1)).floor().modulo(a.get(2)));
    put(all, "LShift", 2, 2, a -> a.get(0).times(Amount.whole(2).power(a.get(1))));
    put(all, "RShift", 2, 2, a -> a.get(0).over(Amount.whole(2).power(a.get(1))).floor());
    put(all, "floor FloorToInt", 1, 1, a -> a.get(0).floor());
    put(all, "ceiling ceil CeilToInt", 1, 1, a -> a.get(0).ceiling());
    put(all, "trunc TruncToInt", 1, 1, a -> a.get(0).truncated());
    put(all, "TruncToFloat", 1, 1, a -> Amount.real(a.get(0).truncated().value()));
    put(all, "RoundToInt", 1, 1, a -> a.get(0).rounded());
    put(all, "Abs", 1, 1, a -> a.get(0).absolute());
    put(all, "sqrt OpaqueUnaryFn_sqrt", 1, 1, a -> Amount.real(Math.sqrt(a.get(0).value())));
    put(all, "Where", 3, 3, a -> a.get(0).truth() ? a.get(1) : a.get(2));
    put(all, "Equality Eq", 2, 2, a -> Amount.of(a.compare() == 0));
    put(all, "Unequality Ne", 2, 2, a -> Amount.of(a.compare() != 0));
    put(all, "StrictLessThan Lt", 2, 2, a -> Amount.of(a.compare() < 0));
    put(all, "LessThan Le", 2, 2, a -> Amount.of(a.compare() <= 0));
    put(all, "StrictGreaterThan Gt", 2, 2, a -> Amount.of(a.compare() > 0));
    put(all, "GreaterThan Ge", 2, 2, a -> Amount.of(a.compare() >= 0));
    return all;
  }

  private static void put(
      Map<String, Function> all,
      String names,
      int least,
      int most,
      java.util.function.Function<Arguments, Amount> body) {
    for (String name : names.split(" ")) all.put(name, new Function(least, most, body));
  }
}
