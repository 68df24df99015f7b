package org.rpx.agent.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Text for a terminal: colour, glyphs and widths. Widths count code points, colours none. */
final class Ink {
  private static final String RESET = "\u001b[0m";
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[\\d+m");

  private final boolean colour;
  private final boolean unicode;

  Ink(boolean colour, boolean unicode) {
    this.colour = colour;
    this.unicode = unicode;
  }

  String bold(String text) {
    return painted("\u001b[1m", text);
  }

  String dim(String text) {
    return painted("\u001b[2m", text);
  }

  String yellow(String text) {
    return painted("\u001b[33m", text);
  }

  private String painted(String code, String text) {
    return colour && !text.isBlank() ? code + text + RESET : text;
  }

  /**
   * {@code text} as this terminal can show it. Nothing that controls a terminal is left in it: a
   * report may come from elsewhere.
   */
  String clean(String text) {
    String printable = printable(text, Integer.MAX_VALUE);
    if (unicode) {
      return printable;
    }
    String ascii =
        printable
            .replace("≥", ">=")
            .replace("µ", "u")
            .replace("×", "x")
            .replace("…", "...")
            .replace("—", "-")
            .replace("–", "-");
    StringBuilder out = new StringBuilder();
    ascii.codePoints().forEach(c -> out.append(c < 0x7f ? (char) c : '?'));
    return out.toString();
  }

  /** {@code text} on one line without control characters, at most {@code most} code points. */
  static String printable(String text, int most) {
    StringBuilder out = new StringBuilder();
    text.codePoints().limit(most).forEach(c -> out.appendCodePoint(shown(c)));
    return out.toString();
  }

  private static int shown(int c) {
    if (c == '\n' || c == '\r' || c == '\t') {
      return ' ';
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          '?';
      default -> c;
    };
  }

  static int width(String text) {
    String bare = text.indexOf('\u001b') < 0 ? text : COLOUR.matcher(text).replaceAll("");
    return bare.codePointCount(0, bare.length());
  }

  static String left(String text, int width) {
    return text + " ".repeat(Math.max(0, width - width(text)));
  }

  static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - width(text))) + text;
  }

  /** The end of {@code text}, which tells more of a path than its start, in {@code width}. */
  String fit(String text, int width) {
    int length = width(text);
    if (length <= width) {
      return text;
    }
    String dots = unicode ? "…" : "...";
    return dots + text.substring(text.offsetByCodePoints(0, length - (width - width(dots))));
  }

  /** Lines of at most {@code width}, broken at spaces, or within a word that no line holds. */
  static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" +")) {
      if (line.length() > 0 && width(line.toString()) + 1 + width(word) > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() > 0 ? " " : "");
      while (width(word) > width) {
        int end = word.offsetByCodePoints(0, width);
        lines.add(word.substring(0, end));
        word = word.substring(end);
      }
      line.append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
