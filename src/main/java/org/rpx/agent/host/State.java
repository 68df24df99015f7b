package org.rpx.agent.host;

import java.util.Locale;

/** Whether a figure could be read where it is kept. */
public enum State {
  /** It was read. */
  OK,
  /** This machine does not have it, or has it switched off at the moment. */
  UNSUPPORTED,
  /** It is there, and only another user may read it: most often root. */
  DENIED;

  /** As reports write it: {@code ok}, {@code unsupported} or {@code denied}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
