package org.rpx.agent.arrays;

/** Names in a file are anyone's: in an error they have no control characters, and end soon. */
final class PlainText {
  private static final int MOST_SHOWN = 60;

  private PlainText() {}

  /** The text, or as much of it as fits. */
  static String of(String text) {
    String first = text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    return first.replaceAll("[\\p{IsControl}\\u2028\\u2029]", "?");
  }
}
