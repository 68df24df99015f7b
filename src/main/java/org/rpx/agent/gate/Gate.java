package org.rpx.agent.gate;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A limit on a figure: {@code p99_ms<=33}, or, against another report, {@code p50_ms<=+5% vs
 * base.json}.
 *
 * @param text as the user gave it
 * @param figure its name, as in the report
 * @param atMost whether the figure has to be at most the limit; at least it elsewhere
 * @param limit in the figure's unit, or as a factor of the base's figure
 * @param base the report that a relative limit refers to; null for an absolute one
 */
public record Gate(String text, String figure, boolean atMost, double limit, Path base) {
  private static final String NUMBER = "([+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?)";
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*([\\w.]+)\\s*(<=|>=)\\s*" + NUMBER + "\\s*(%?)(?:\\s+vs\\s+(\\S.*?))?\\s*");

  /**
   * Reads a gate.
   *
   * @throws IllegalArgumentException with the forms there are
   */
  public static Gate parse(String text) {
    Matcher m = FORM.matcher(text);
    if (!m.matches()) throw wrong(text, "is not FIGURE<=LIMIT or FIGURE>=LIMIT");
    boolean relative = !m.group(4).isEmpty();
    if (relative && m.group(5) == null) throw wrong(text, "does not say what the percentage is of");
    if (!relative && m.group(5) != null)
      throw wrong(text, "names a base, but its limit is no percentage");
    double number = Double.parseDouble(m.group(3));
    if (relative && number <= -100) throw wrong(text, "leaves nothing of the base");
    return new Gate(
        text.strip(),
        m.group(1),
        m.group(2).equals("<="),
        relative ? 1 + number / 100 : number,
        relative ? Path.of(m.group(5)) : null);
  }

  private static IllegalArgumentException wrong(String text, String what) {
    return new IllegalArgumentException(
        "\"" + text + "\" (--gate) " + what + ": as 'p99_ms<=33' or 'p50_ms<=+5% vs base.json'");
  }

  /**
   * Judges figures. An interval that holds the limit is INCONCLUSIVE: another measurement might
   * fall on its other side. Against a base, the interval of the ratio is that of two independent
   * estimates, their relative half-widths added in quadrature.
   *
   * @param figures by name
   * @param ofBase the base's; null for an absolute gate
   * @throws IllegalArgumentException where there is no figure of that name
   */
  public Result judge(Map<String, Figure> figures, Map<String, Figure> ofBase) {
    Figure mine = named(figures);
    if (!mine.sure())
      return result(Verdict.INCONCLUSIVE, mine, limit, figure + ": " + mine.missing());
    if (base == null) return judge(mine, limit, "");
    Figure other = named(ofBase);
    if (!other.sure())
      return result(
          Verdict.INCONCLUSIVE, mine, null, figure + " of " + base + ": " + other.missing());
    // Of nothing every share is nothing.
    if (other.value() == 0) return judge(mine, 0, " (" + base + " has 0)");
    double scale = 1 / other.value();
    double down =
        Math.hypot(
            mine.value() - mine.lowest(), mine.value() * scale * (other.highest() - other.value()));
    double up =
        Math.hypot(
            mine.highest() - mine.value(), mine.value() * scale * (other.value() - other.lowest()));
    Figure compared = new Figure(mine.value(), mine.value() - down, mine.value() + up, null);
    return judge(compared, limit * other.value(), " (" + base + " has " + other.value() + ")");
  }

  private Result judge(Figure f, double most, String beside) {
    boolean passes = atMost ? f.highest() <= most : f.lowest() >= most;
    boolean fails = atMost ? f.lowest() > most : f.highest() < most;
    Verdict verdict = passes ? Verdict.PASSED : fails ? Verdict.FAILED : Verdict.INCONCLUSIVE;
    String interval = f.low() == null ? "" : ", 95 % interval " + f.low() + " to " + f.high();
    return result(verdict, f, most, figure + " is " + f.value() + interval + beside);
  }

  private Result result(Verdict verdict, Figure f, Double most, String why) {
    return new Result(this, verdict, f.value(), f.low(), f.high(), most, why);
  }

  private Figure named(Map<String, Figure> figures) {
    Figure found = figures.get(figure);
    if (found != null) return found;
    throw new IllegalArgumentException(
        "no figure \""
            + figure
            + "\" (--gate): there are "
            + String.join(", ", new TreeSet<>(figures.keySet())));
  }

  /** What became of a gate. */
  public enum Verdict {
    PASSED,
    FAILED,
    /** The interval holds the limit, or the figure is not known. */
    INCONCLUSIVE
  }

  /**
   * A gate judged.
   *
   * @param limit in the figure's unit; null where the base's figure is not known
   * @param why in words, with the figures
   */
  public record Result(
      Gate gate,
      Verdict verdict,
      Double value,
      Double low,
      Double high,
      Double limit,
      String why) {}
}
