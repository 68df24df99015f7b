package org.rpx.agent.cli;

/** What the process ends with. */
final class ExitCode {
  static final int OK = 0;
  static final int GATE_FAILED = 1;
  static final int USAGE = 2;
  static final int INVALID = 3;
  static final int FAILED = 4;
  static final int INTERRUPTED = 130;

  private ExitCode() {}
}
