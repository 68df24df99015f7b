package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.rpx.agent.exported.Expression.Term;

/**
 * A recursive-descent parser of what sympy prints, in either form: calls of constructors, and
 * formulas with Python's operators.
 */
class ExpressionParser {
  private static final int DEEPEST = 150;
  private static final int LONGEST = 100_000;

  final String text;
  private final Set<String> symbols;
  int at;
  private int depth;

  /**
   * Parses {@code text}.
   *
   * @param symbols gets the names of those that it has
   */
  ExpressionParser(String text, Set<String> symbols) {
    this.text = text;
    this.symbols = symbols;
    if (text.length() > LONGEST) throw new ArithmeticException("longer than " + LONGEST);
  }

  Term whole() {
    Term term = inside();
    space();
    if (at < text.length()) throw malformed();
    return term;
  }

  /** What stands alone, in parentheses or as an argument. */
  Term inside() {
    return sum();
  }

  final Term sum() {
    if (++depth > DEEPEST) throw new ArithmeticException("nested deeper than " + DEEPEST);
    List<Term> terms = new ArrayList<>();
    terms.add(product());
    while (true) {
      if (take("+")) terms.add(product());
      else if (take("-")) terms.add(negated(product()));
      else break;
    }
    depth--;
    return terms.size() == 1 ? terms.get(0) : Expression.call("Add", terms);
  }

  private Term product() {
    Term left = factor();
    int links = 0;
    while (true) {
      String function;
      if (peek("**")) throw malformed();
      if (take("*")) function = "Mul";
      else if (take("//")) function = "FloorDiv";
      else if (take("/")) function = "/";
      else if (take("%")) function = "PythonMod";
      else return left;
      // Each link is one call deeper when the value is reckoned.
      if (++links > DEEPEST) throw new ArithmeticException("nested deeper than " + DEEPEST);
      Term a = left;
      Term b = factor();
      left =
          function.equals("/")
              ? values -> quotient(a.value(values), b.value(values))
              : Expression.call(function, List.of(a, b));
    }
  }

  /** Of "/": sympy's is exact. */
  Amount quotient(Amount a, Amount b) {
    return a.over(b);
  }

  private Term factor() {
    if (++depth > DEEPEST) throw new ArithmeticException("nested deeper than " + DEEPEST);
    Term term;
    if (take("-")) term = negated(factor());
    else if (take("+")) term = factor();
    else {
      term = primary();
      if (take("**")) term = Expression.call("Pow", List.of(term, factor()));
    }
    depth--;
    return term;
  }

  private static Term negated(Term term) {
    return values -> term.value(values).negated();
  }

  private Term primary() {
    space();
    if (take("(")) {
      Term inside = inside();
      close();
      return inside;
    }
    if (peek("'")) {
      // Float('1.5', precision=53) has its digits as a text.
      Amount number = number(quoted());
      return values -> number;
    }
    int start = at;
    while (at < text.length() && isWordPart(text.charAt(at))) at++;
    if (start == at) throw malformed();
    if (text.substring(start, at).matches("[\\d.]+[eE]") && (take("-") || take("+"))) {
      while (at < text.length() && Character.isDigit(text.charAt(at))) at++;
    }
    String word = text.substring(start, at);
    if (Character.isDigit(word.charAt(0)) || word.charAt(0) == '.') {
      Amount number = number(word);
      return values -> number;
    }
    if (take("(")) return call(word);
    return named(word);
  }

  /** What a name stands for that is not called. */
  Term named(String word) {
    if (word.equals("true") || word.equals("false")) {
      Amount truth = Amount.of(word.equals("true"));
      return values -> truth;
    }
    return symbol(word);
  }

  private Term call(String name) {
    if (name.equals("Symbol") || name.equals("Dummy")) {
      space();
      Term symbol = symbol(quoted());
      // What is assumed of it: positive=True, integer=True.
      while (at < text.length() && text.charAt(at) != ')') at++;
      close();
      return symbol;
    }
    String function = function(name);
    Expression.checkKnown(function);
    List<Term> arguments = new ArrayList<>();
    while (!take(")")) {
      if (!arguments.isEmpty() && !take(",")) throw malformed();
      if (!option()) arguments.add(inside());
    }
    return Expression.call(function, arguments);
  }

  /** The name here of a function that the text calls {@code name}. */
  String function(String name) {
    return name;
  }

  /** precision=53, evaluate=False. */
  private boolean option() {
    space();
    int start = at;
    while (at < text.length() && isWordPart(text.charAt(at))) at++;
    boolean option = at > start && take("=") && !peek("=");
    if (!option) {
      at = start;
      return false;
    }
    sum();
    return true;
  }

  final Term symbol(String name) {
    symbols.add(name);
    return Expression.symbol(name);
  }

  static boolean isWordPart(char c) {
    return c == '_' || c == '.' || Character.isLetterOrDigit(c);
  }

  private String quoted() {
    if (!take("'")) throw malformed();
    int end = text.indexOf('\'', at);
    if (end < 0) throw malformed();
    String inside = text.substring(at, end);
    at = end + 1;
    return inside;
  }

  private static Amount number(String digits) {
    try {
      return digits.matches("-?\\d+")
          ? Amount.whole(Long.parseLong(digits))
          : Amount.real(Double.parseDouble(digits));
    } catch (NumberFormatException e) {
      throw new ArithmeticException("\"" + digits + "\" is no number of 64 bits");
    }
  }

  private void close() {
    if (!take(")")) throw malformed();
  }

  final boolean take(String sign) {
    boolean found = peek(sign);
    if (found) at += sign.length();
    return found;
  }

  final boolean peek(String sign) {
    space();
    return text.startsWith(sign, at);
  }

  final void space() {
    while (at < text.length() && text.charAt(at) == ' ') at++;
  }

  final ArithmeticException malformed() {
    return new ArithmeticException("malformed at character " + at);
  }
}
