package org.rpx.agent.report;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Lines of the terminal summary: a column of labels, and to the right of it what they name. */
final class TablePage {
  static final int WIDTH = 100;
  private static final int LABEL = 23;
  private static final int CELL = 22;
  private static final int NUMBER = 5;

  private final Ink ink;
  private final List<String> lines = new ArrayList<>();

  TablePage(Ink ink) {
    this.ink = ink;
  }

  /** A line as it is. */
  void line(String line) {
    lines.add(line);
  }

  /** An empty line, then a block's title in bold and what it holds. */
  void title(String title, String rest) {
    lines.add("");
    lines.add(ink.bold(title) + "  " + ink.clean(rest));
  }

  /** A label and one figure, its unit under the others'; or why there is none. */
  void figure(String label, Quantity figure, String whyNot) {
    String value = figure == null ? na(whyNot) : Ink.right(figure.value(), NUMBER) + unit(figure);
    lines.add(labelled(label) + value);
  }

  /** A label and text, wrapped under its own start. */
  void text(String label, String text) {
    for (String line : Ink.wrap(ink.clean(text), WIDTH - LABEL - 4)) {
      lines.add(labelled(label) + line);
      label = "";
    }
  }

  /** A label and cells side by side, as many to a line as its width takes. */
  void cells(String label, List<String> cells) {
    String line = labelled(label);
    boolean first = true;
    for (String cell : cells) {
      if (!first && Ink.width(line) + 2 + Ink.width(cell) > WIDTH) {
        lines.add(line);
        line = labelled("");
        first = true;
      }
      line += (first ? "" : "  ") + Ink.left(cell, CELL);
      first = false;
    }
    lines.add(line);
  }

  /** A cell: a name and a figure, or why there is none. */
  String cell(String name, Quantity figure, String whyNot) {
    String value = figure == null ? na(whyNot) : figure.value() + unit(figure);
    return name.isEmpty() ? value : name + " " + value;
  }

  String clean(String text) {
    return ink.clean(text);
  }

  /** A paragraph, wrapped, its further lines indented. */
  void paragraph(String text) {
    wrapped(text, line -> line);
  }

  /** The same in yellow. */
  void warning(String text) {
    wrapped(text, ink::yellow);
  }

  private void wrapped(String text, UnaryOperator<String> paint) {
    String indent = "";
    for (String line : Ink.wrap(ink.clean(text), WIDTH - 2)) {
      lines.add(indent + paint.apply(line));
      indent = "  ";
    }
  }

  /** A time, {@code width} wide. */
  String column(Quantity figure, int width) {
    return figure == null
        ? Ink.right("n/a", width)
        : Ink.right(figure.value(), width - 3)
            + " "
            + ink.dim(Ink.left(ink.clean(figure.unit()), 2));
  }

  void write(Writer out) throws IOException {
    for (String line : lines) {
      out.write(line.stripTrailing());
      out.write('\n');
    }
    out.flush();
  }

  private String labelled(String label) {
    return "  " + Ink.left(ink.clean(label), LABEL) + "  ";
  }

  private String unit(Quantity figure) {
    return figure.unit().isEmpty() ? "" : " " + ink.dim(ink.clean(figure.unit()));
  }

  private String na(String whyNot) {
    return "n/a " + ink.dim("(" + ink.clean(whyNot) + ")");
  }
}
