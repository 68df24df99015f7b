package org.rpx.agent.monitor;

import java.io.IOException;

/** A file that cannot be read as a black box; the message is one line that names it. */
public final class BlackBoxException extends IOException {
  private static final long serialVersionUID = 1;

  BlackBoxException(String message) {
    super(message);
  }
}
