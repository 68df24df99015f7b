package org.rpx.agent.exported;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rpx.agent.exported.Expression.Term;

/**
 * A parser of guards, which are Python: {@code L['x'].size()[0] % 4 == 0 and L['rows'] != 1}.
 * Operators bind, chain and stop early as Python's do.
 */
final class GuardParser extends ExpressionParser {
  /** Those that PyTorch's printer of guards writes, by their names here. */
  private static final Map<String, String> FUNCTIONS =
      Map.of(
          "max", "Max",
          "min", "Min",
          "abs", "Abs",
          "round", "RoundToInt",
          "math.floor", "floor",
          "math.ceil", "ceil",
          "math.trunc", "trunc",
          "math.sqrt", "sqrt",
          "torch.sym_float", "ToFloat");

  /** The longer first: "<" begins "<=". */
  private static final List<String> COMPARISONS = List.of("==", "!=", "<=", ">=", "<", ">");

  /**
   * What a guard reads of an input.
   *
   * @param keys the way to the input: argument, then keys of dicts and places in sequences
   * @param dimension whose size it is; null for the value of a number
   */
  record Source(List<String> keys, Integer dimension) {}

  /**
   * A guard.
   *
   * @param sources by the names that {@code term} takes their values by: the text as it stands
   */
  record Guard(Term term, Map<String, Source> sources) {}

  private final Map<String, Source> sources = new LinkedHashMap<>();

  private GuardParser(String text, Set<String> symbols) {
    super(text, symbols);
  }

  /**
   * Reads one.
   *
   * @throws ArithmeticException where it is malformed, or asks for something that is not known here
   */
  static Guard parse(String text) {
    Set<String> symbols = new HashSet<>();
    GuardParser parser = new GuardParser(text, symbols);
    Term term = parser.whole();
    symbols.removeAll(parser.sources.keySet());
    for (String name : symbols) throw new ArithmeticException("\"" + name + "\" is not known");
    return new Guard(term, parser.sources);
  }

  @Override
  Term inside() {
    return decided("or", true, () -> decided("and", false, this::negation));
  }

  private interface Operand {
    Term read();
  }

  /** As in Python its value is that of the first operand that decides, else the last one's. */
  private Term decided(String word, boolean decisive, Operand operand) {
    List<Term> terms = new ArrayList<>();
    do terms.add(operand.read());
    while (keyword(word));
    if (terms.size() == 1) return terms.get(0);
    return values -> {
      Amount value = Amount.ZERO;
      for (Term term : terms) {
        value = term.value(values);
        if (value.truth() == decisive) break;
      }
      return value;
    };
  }

  private Term negation() {
    boolean any = false;
    boolean odd = false;
    for (; keyword("not"); any = true) odd = !odd;
    Term term = comparison();
    boolean negated = odd;
    return any ? values -> Amount.of(term.value(values).truth() != negated) : term;
  }

  private Term comparison() {
    List<Term> terms = new ArrayList<>(List.of(sum()));
    List<String> signs = new ArrayList<>();
    for (String sign = sign(); sign != null; sign = sign()) {
      signs.add(sign);
      terms.add(sum());
    }
    if (signs.isEmpty()) return terms.get(0);
    return values -> {
      Amount left = terms.get(0).value(values);
      for (int i = 0; i < signs.size(); i++) {
        Amount right = terms.get(i + 1).value(values);
        if (!holds(left, signs.get(i), right)) return Amount.of(false);
        left = right;
      }
      return Amount.of(true);
    };
  }

  private String sign() {
    return COMPARISONS.stream().filter(this::take).findFirst().orElse(null);
  }

  private static boolean holds(Amount left, String sign, Amount right) {
    double a = left.value();
    double b = right.value();
    if (Double.isNaN(a) || Double.isNaN(b)) return sign.equals("!=");
    boolean finite = Double.isFinite(a) && Double.isFinite(b);
    int order = finite ? decimal(left).compareTo(decimal(right)) : Double.compare(a, b);
    return switch (sign) {
      case "==" -> order == 0;
      case "!=" -> order != 0;
      case "<=" -> order <= 0;
      case ">=" -> order >= 0;
      case "<" -> order < 0;
      default -> order > 0;
    };
  }

  /** Python compares whole numbers with floats by what they are, not as floats. */
  private static BigDecimal decimal(Amount amount) {
    boolean whole = amount.exact() && amount.bottom() == 1;
    return whole ? BigDecimal.valueOf(amount.top()) : new BigDecimal(amount.value());
  }

  @Override
  Amount quotient(Amount a, Amount b) {
    return a.realOver(b);
  }

  @Override
  String function(String name) {
    String known = FUNCTIONS.get(name);
    if (known == null)
      throw new ArithmeticException("\"" + name + "\" is no function that is known here");
    return known;
  }

  @Override
  Term named(String word) {
    if (word.equals("L") && peek("[")) return source();
    Amount constant =
        switch (word) {
          case "True" -> Amount.ONE;
          case "False" -> Amount.ZERO;
          case "math.inf" -> Amount.real(Double.POSITIVE_INFINITY);
          default -> null;
        };
    return constant == null ? symbol(word) : values -> constant;
  }

  private Term source() {
    int start = at - 1;
    int end = at;
    List<String> keys = new ArrayList<>();
    while (take("[")) {
      space();
      boolean text = peek("'") || peek("\"");
      keys.add(text ? key(text(at++)) : String.valueOf(index()));
      end = closed();
    }
    Integer dimension = null;
    if (take(".size()[")) {
      space();
      dimension = index();
      end = closed();
    }
    if (peek(".") || peek("["))
      throw new ArithmeticException("it asks for more of an input than sizes and numbers");
    String name = text.substring(start, end);
    sources.put(name, new Source(keys, dimension));
    return symbol(name);
  }

  private int closed() {
    if (!take("]")) throw malformed();
    return at;
  }

  /** A text as Python's repr writes it, to behind the quote that ends it. */
  private String key(char quote) {
    StringBuilder key = new StringBuilder();
    for (char c = text(at++); c != quote; c = text(at++)) {
      if (c == '\\') {
        c = text(at++);
        if (c != '\\' && c != '\'' && c != '"') throw malformed();
      }
      key.append(c);
    }
    return key.toString();
  }

  private char text(int position) {
    if (position >= text.length()) throw malformed();
    return text.charAt(position);
  }

  private int index() {
    int start = at;
    while (at < text.length() && Character.isDigit(text.charAt(at))) at++;
    // Nine digits fit into an int.
    if (start == at || at - start > 9) throw malformed();
    return Integer.parseInt(text.substring(start, at));
  }

  private boolean keyword(String word) {
    if (!peek(word)) return false;
    int end = at + word.length();
    if (end < text.length() && isWordPart(text.charAt(end))) return false;
    at = end;
    return true;
  }
}
