package org.rpx.agent.exported;

/**
 * A size, stride or offset as the file has it: a number, or an expression of symbols.
 *
 * @param expression null where it is a number
 * @param value the number; of an expression what it was for the example inputs, null where that is
 *     not known
 */
record Size(String expression, Long value) {
  static Size of(long value) {
    return new Size(null, value);
  }

  boolean symbolic() {
    return expression != null;
  }
}
