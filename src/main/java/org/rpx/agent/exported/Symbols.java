package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.rpx.agent.exported.Program.Range;

/** The symbols of a program, bound by the sizes of its inputs. */
final class Symbols {
  /**
   * Sizes that depend on each other, each on a later one, in longer chains are no real program's.
   */
  private static final int PASSES = 20;

  /** Of an expression, for a message. */
  private static final int SHOWN = 500;

  private final Map<String, Long> values = new HashMap<>();
  private final Map<String, Long> known = new HashMap<>();
  private final Map<String, String> boundBy = new HashMap<>();
  private final Map<String, Expression> parsed = new HashMap<>();
  private final Set<Given> unsolvable = new HashSet<>();

  /**
   * A size of an input that was given.
   *
   * @param place as a message names it: "dimension 0 of input x"
   */
  record Given(String place, Size size, long value) {}

  /**
   * Binds the symbols.
   *
   * @throws InputException where a size contradicts the file, or lies out of its range
   */
  static Symbols bind(List<Given> sizes, Map<String, Range> ranges) {
    Symbols symbols = new Symbols();
    List<Given> left = new ArrayList<>(sizes);
    // Symbols that stand alone first, then sizes in which one is left open: 2*s0.
    left.removeIf(given -> symbols.isOrBinds(given, true));
    for (int pass = 0; pass < PASSES && !left.isEmpty(); pass++) {
      if (!left.removeIf(given -> symbols.isOrBinds(given, false))) break;
    }
    for (Given given : left) symbols.check(given);
    ranges.forEach(symbols::check);
    return symbols;
  }

  private boolean isOrBinds(Given given, boolean alone) {
    if (!given.size().symbolic()) {
      check(given);
      return true;
    }
    Expression expression = parse(given.size().expression());
    Set<String> free = free(expression);
    if (free.isEmpty()) {
      check(given);
      return true;
    }
    boolean isSymbol = isSymbol(given.size().expression(), expression);
    if (free.size() > 1 || (alone && !isSymbol) || unsolvable.contains(given)) return false;
    String symbol = free.iterator().next();
    Long solution = isSymbol ? (Long) given.value() : solve(expression, symbol, given.value());
    if (solution == null) {
      unsolvable.add(given);
      return false;
    }
    values.put(symbol, solution);
    boundBy.put(symbol, given.place());
    return true;
  }

  private Set<String> free(Expression expression) {
    Set<String> free = new LinkedHashSet<>(expression.symbols());
    free.removeAll(values.keySet());
    return free;
  }

  private static boolean isSymbol(String text, Expression expression) {
    if (expression.symbols().size() != 1) return false;
    String symbol = expression.symbols().iterator().next();
    return text.equals(symbol) || text.matches("Symbol\\([^()]*\\)");
  }

  /** The symbol's value where the size grows in proportion to it; null where that is not so. */
  private Long solve(Expression expression, String symbol, long value) {
    Map<String, Long> trial = new HashMap<>(values);
    try {
      trial.put(symbol, 0L);
      long start = expression.value(trial);
      trial.put(symbol, 1L);
      long step = Math.subtractExact(expression.value(trial), start);
      if (step == 0) return null;
      long solution = Math.subtractExact(value, start) / step;
      trial.put(symbol, solution);
      return expression.value(trial) == value ? solution : null;
    } catch (ArithmeticException e) {
      return null;
    }
  }

  private void check(Given given) {
    long wanted = value(given.size());
    if (wanted != given.value())
      throw new InputException(
          given.place()
              + " is "
              + given.value()
              + ", the program was exported for "
              + wanted
              + (given.size().symbolic() ? " (" + shown(given.size()) + ")" : "")
              + "; give that size, or export the model with this dimension dynamic");
  }

  /** A range of an expression that inputs decide; others hold for values, not for sizes. */
  private void check(String name, Range range) {
    long value;
    try {
      Expression expression = Expression.parse(name);
      if (!free(expression).isEmpty()) return;
      value = expression.value(values);
    } catch (ArithmeticException e) {
      return;
    }
    boolean low = range.min() != null && value < range.min();
    boolean high = range.max() != null && value > range.max();
    if (!low && !high) return;
    throw new InputException(
        boundBy.getOrDefault(name, name)
            + " is "
            + value
            + ", the program was exported for "
            + shown(range)
            + "; give such a size, or export the model for this one");
  }

  private static String shown(Range range) {
    if (range.max() == null) return range.min() + " and more";
    return range.min() == null ? "at most " + range.max() : range.min() + " to " + range.max();
  }

  /** A size's value. */
  long value(Size size) {
    if (!size.symbolic()) return size.value();
    return known.computeIfAbsent(size.expression(), this::reckon);
  }

  /** The same; null where a symbol is not bound. */
  Long valueOrNull(Size size) {
    try {
      return value(size);
    } catch (GraphException e) {
      return null;
    }
  }

  private long reckon(String text) {
    Expression expression = parse(text);
    for (String symbol : free(expression)) {
      throw new UnboundSize(
          "the size "
              + Symbols.shown(text)
              + " does not follow from the inputs' shapes ("
              + symbol
              + " is not bound); export the model without sizes that depend on"
              + " values, or measure it, which counts what runs");
    }
    try {
      return expression.value(values);
    } catch (ArithmeticException e) {
      if (expression.symbols().isEmpty()) throw bad(text, e);
      throw new InputException(
          "the size "
              + shown(text)
              + " cannot be reckoned for these inputs ("
              + reason(e)
              + "); give other shapes, or export it again");
    }
  }

  private Expression parse(String text) {
    try {
      return parsed.computeIfAbsent(text, Expression::parse);
    } catch (ArithmeticException e) {
      throw bad(text, e);
    }
  }

  private static GraphException bad(String text, ArithmeticException e) {
    return new GraphException(
        "the size " + shown(text) + " cannot be reckoned (" + reason(e) + "); export it again");
  }

  static String reason(ArithmeticException e) {
    boolean large = e.getMessage().toLowerCase(Locale.ROOT).contains("overflow");
    return large ? "it passes 2^63" : e.getMessage();
  }

  private static String shown(Size size) {
    return shown(size.expression());
  }

  /** Without what is assumed of its symbols. */
  private static String shown(String text) {
    // The pattern's time is quadratic in what it gets.
    String start = text.length() > SHOWN ? text.substring(0, SHOWN) : text;
    String plain = start.replaceAll("Symbol\\('(\\w+)'[^)]*\\)", "$1");
    plain = plain.replaceAll("Integer\\((-?\\d+)\\)", "$1");
    return plain.length() > 80 ? plain.substring(0, 80) + "…" : plain;
  }
}
