package org.rpx.agent.tier1;

/** The characters of a {@link FlopExpression}: where its parser is, and what is wrong there. */
final class FlopExpressionText {
  private static final int LONGEST = 10_000;
  // An error stays one readable line: this many characters are shown on each side.
  private static final int SHOWN = 40;

  private final String text;
  private int at;

  FlopExpressionText(String text) {
    this.text = text;
    if (text.length() > LONGEST) {
      throw wrong("it has " + text.length() + " characters, and may have " + LONGEST);
    }
  }

  /** Whether {@code sign} is next; if so, steps over it. */
  boolean take(String sign) {
    space();
    boolean found = text.startsWith(sign, at);
    if (found) at += sign.length();
    return found;
  }

  /** The next letters, digits and underscores; empty where something else is next. */
  String word() {
    space();
    int start = at;
    at = end(false);
    return text.substring(start, at);
  }

  /** The next letters, digits, underscores and dots. */
  String name() {
    space();
    int start = at;
    at = end(true);
    return text.substring(start, at);
  }

  boolean atEnd() {
    space();
    return at == text.length();
  }

  int position() {
    space();
    return at;
  }

  IllegalArgumentException expected(String what) {
    return expected(what, position());
  }

  IllegalArgumentException expected(String what, int position) {
    at = position;
    int end = Math.max(end(false), Math.min(at + 1, text.length()));
    String found =
        at == text.length()
            ? "the end"
            : '"' + printable(text.substring(at, Math.min(end, at + SHOWN))) + '"';
    return wrong("column " + (at + 1) + ": expected " + what + ", found " + found);
  }

  IllegalArgumentException wrong(String what) {
    int from = at <= SHOWN ? 0 : at - SHOWN;
    int to = Math.min(text.length(), at + SHOWN);
    String shown =
        (from > 0 ? "…" : "")
            + printable(text.substring(from, to))
            + (to < text.length() ? "…" : "");
    return new IllegalArgumentException(
        "FLOP rule \""
            + shown
            + "\" (--flop-rule): "
            + what
            + ". Write a rule as my::op=2*in0.numel*in1[0]");
  }

  private int end(boolean dots) {
    int end = at;
    while (end < text.length() && isWordPart(text.charAt(end), dots)) end++;
    return end;
  }

  private static boolean isWordPart(char c, boolean dots) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || (dots && c == '.');
  }

  private void space() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
  }

  private static String printable(String part) {
    return part.replaceAll("[\\p{Cntrl}\\x{85}\\x{2028}\\x{2029}]", " ");
  }
}
