package org.rpx.agent.monitor;

/** Java's own, which a runtime may be without. Apart from the event: that is not loaded then. */
final class FlightRecorder {
  private FlightRecorder() {}

  /** Null where this Java has no flight recorder. */
  static CycleEvent cycleEvent() {
    try {
      return new CycleEvent();
    } catch (LinkageError e) {
      return null;
    }
  }
}
