package org.rpx.agent.exported;

/**
 * A file is no program that could be counted, or a damaged one: no fault of its inputs. One line
 * that begins with the file's path.
 */
public final class ProgramException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  ProgramException(String what) {
    super(what);
  }
}
