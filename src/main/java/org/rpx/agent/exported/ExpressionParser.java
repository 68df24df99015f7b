package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.rpx.agent.exported.Expression.Term;

/**
 * A recursive-descent parser of what sympy prints, in either form: calls of constructors, and
 * formulas with Python's operators.
 */
final class ExpressionParser {
  private static final int DEEPEST = 150;
  private static final int LONGEST = 100_000;

  private final String text;
  private final Set<String> symbols;
  private int at;
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
    Term term = sum();
    space();
    if (at < text.length()) throw malformed();
    return term;
  }

  private Term sum() {
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
              ? values -> a.value(values).over(b.value(values))
              : Expression.call(function, List.of(a, b));
    }
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
      Term inside = sum();
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
    String word = text.substring(start, at);
    if (Character.isDigit(word.charAt(0)) || word.charAt(0) == '.') {
      Amount number = number(word);
      return values -> number;
    }
    if (take("(")) return call(word);
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
    Expression.checkKnown(name);
    List<Term> arguments = new ArrayList<>();
    while (!take(")")) {
      if (!arguments.isEmpty() && !take(",")) throw malformed();
      if (!option()) arguments.add(sum());
    }
    return Expression.call(name, arguments);
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

  private Term symbol(String name) {
    symbols.add(name);
    return Expression.symbol(name);
  }

  private static boolean isWordPart(char c) {
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

  private boolean take(String sign) {
    boolean found = peek(sign);
    if (found) at += sign.length();
    return found;
  }

  private boolean peek(String sign) {
    space();
    return text.startsWith(sign, at);
  }

  private void space() {
    while (at < text.length() && text.charAt(at) == ' ') at++;
  }

  private ArithmeticException malformed() {
    return new ArithmeticException("malformed at character " + at);
  }
}
