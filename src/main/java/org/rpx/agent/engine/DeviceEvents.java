package org.rpx.agent.engine;

/**
 * A ring of pairs of timing events on a device's current stream. One thread at a time. Every method
 * throws {@link NativeException} where the device fails, and IllegalStateException once closed.
 */
public final class DeviceEvents implements AutoCloseable {
  private Binding.Pairs pairs;

  /**
   * Makes the ring.
   *
   * @throws NativeException UNSUPPORTED where the device has no timing events, as the CPU
   */
  public DeviceEvents(Device device, int pairs) {
    LibTorch.load();
    this.pairs = new Binding.Pairs(device.name(), pairs);
  }

  /** Records the first event of a pair. As many pairs as the ring has may be uncollected. */
  public void start() {
    open().start();
  }

  /** Records its second event. */
  public void end() {
    open().end();
  }

  /**
   * Takes the oldest pair, of which there is one, without waiting.
   *
   * @return nanoseconds between its events; -1 where the device has not come to its end yet
   */
  public long collect() {
    return open().collect();
  }

  private Binding.Pairs open() {
    if (pairs == null) throw new IllegalStateException("the events are closed");
    return pairs;
  }

  /** Frees the events. A second call does nothing. */
  @Override
  public void close() {
    if (pairs != null) pairs.close();
    pairs = null;
  }
}
