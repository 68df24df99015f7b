package org.rpx.agent.engine;

/**
 * Where a model runs: what {@link LibTorch#device} found. Immutable.
 *
 * @param name as LibTorch has it, with its index: "cpu", "cuda:0"
 * @param reason why "auto" is no accelerator; null otherwise
 */
public record Device(String name, String reason) {
  /** The host's processor. */
  public static final Device CPU = new Device("cpu", null);

  /** Whether it is the host's processor. */
  public boolean isCpu() {
    return name.equals("cpu") || name.startsWith("cpu:");
  }

  /** "cuda" of "cuda:0". */
  public String type() {
    return name.replaceAll(":.*", "");
  }
}
