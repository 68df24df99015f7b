package org.rpx.agent.exported;

/** What is wrong with inputs that were given, without the file's name. */
final class InputException extends GraphException {
  private static final long serialVersionUID = 1;

  InputException(String what) {
    super(what);
  }
}
