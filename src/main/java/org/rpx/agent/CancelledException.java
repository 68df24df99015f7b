package org.rpx.agent;

/** A profile that its caller ended. */
public final class CancelledException extends RuntimeException {
  public CancelledException() {
    super("interrupted");
  }
}
