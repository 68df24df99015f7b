package org.rpx.agent.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.host.Check;
import org.rpx.agent.host.Check.Mark;

/**
 * What was looked at before anybody measures, {@code Rpx.doctor()}, as a table and as JSON.
 * Immutable.
 */
public final class ChecksReport {
  private static final int MARK = 4;
  private static final int NAME = 15;
  private static final int TEXT = TablePage.WIDTH - MARK - NAME - 4;

  private final List<Check> checks;

  /** Of checks in the order that they are to be shown in. */
  public ChecksReport(List<Check> checks) {
    this.checks = List.copyOf(checks);
  }

  /** The worst mark; ok where there is no check. What a machine does not have is no fault. */
  public Mark worst() {
    Mark worst = Mark.OK;
    for (Check check : checks) {
      boolean fault = check.mark() == Mark.WARN || check.mark() == Mark.FAIL;
      worst = fault && check.mark().compareTo(worst) > 0 ? check.mark() : worst;
    }
    return worst;
  }

  /**
   * A line for each check: mark, name, finding; below it the remedy. At most 100 columns wide.
   *
   * @param colour whether to use ANSI colours
   * @param unicode whether the terminal shows more than ASCII
   * @param out flushed, not closed
   * @throws IOException if {@code out} fails
   */
  public void table(boolean colour, boolean unicode, Writer out) throws IOException {
    Ink ink = new Ink(colour, unicode);
    TablePage page = new TablePage(ink);
    for (Check check : checks) {
      String mark = Ink.left(check.mark().toString(), MARK);
      boolean loud = check.mark() == Mark.WARN || check.mark() == Mark.FAIL;
      String start = (loud ? ink.yellow(mark) : mark) + "  " + Ink.left(check.name(), NAME) + "  ";
      for (String line : Ink.wrap(ink.clean(check.finding()), TEXT)) {
        page.line(start + line);
        start = " ".repeat(MARK + NAME + 4);
      }
      if (check.remedy() != null) {
        for (String line : Ink.wrap(ink.clean("remedy: " + check.remedy()), TEXT)) {
          page.line(start + line);
        }
      }
    }
    page.line("");
    page.line(summary());
    page.write(out);
  }

  private String summary() {
    return switch (worst()) {
      case FAIL -> "Figures that are measured here now would not be valid.";
      case WARN -> "Figures that are measured here now are valid; the warnings say what they lack.";
      default -> "Nothing here spoils figures.";
    };
  }

  /**
   * {@code verdict}, the worst mark, and {@code checks}, indented.
   *
   * @param out flushed, not closed
   * @throws IOException if {@code out} fails
   */
  public void json(Writer out) throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("verdict", worst().toString());
    map.put("checks", checks.stream().map(Check::toMap).toList());
    try (JsonGenerator json = JsonStyle.generator(out)) {
      JsonStyle.value(json, map);
    }
    out.write('\n');
    out.flush();
  }
}
