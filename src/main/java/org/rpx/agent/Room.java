package org.rpx.agent;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeException.Code;
import org.rpx.agent.host.HostFacts;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/**
 * The memory that a model may take on the host, asked for before it is taken: Linux hands out more
 * than there is, and kills the process that uses it.
 */
final class Room implements AutoCloseable {
  private Long bytes;

  /**
   * From here to {@link #close}, CPU tensors that do not fit are OUT_OF_MEMORY.
   *
   * @param root of the machine's files
   */
  void open(Path root) {
    bytes = HostFacts.memoryRoomBytes(root);
    if (bytes != null) LibTorch.hostRoom(bytes);
  }

  /** Throws OUT_OF_MEMORY where a model's weights and activations are more than there is. */
  void check(String model, List<Weight> weights, ModelProperties properties) {
    long need = weightBytes(weights) + activationBytes(properties);
    if (bytes != null && need > bytes)
      throw new NativeException(
          Code.OUT_OF_MEMORY,
          model
              + " needs "
              + needs(weights, properties)
              + ", and this machine has "
              + size(bytes)
              + " available: use a smaller input or batch, or stop other processes");
  }

  /** "138.2 kB (weights 132.1 kB, activations 6.144 kB)". */
  static String needs(List<Weight> weights, ModelProperties properties) {
    long ofWeights = weightBytes(weights);
    long ofActivations = activationBytes(properties);
    return size(ofWeights + ofActivations)
        + " (weights "
        + size(ofWeights)
        + ", activations "
        + size(ofActivations)
        + ")";
  }

  private static long activationBytes(ModelProperties properties) {
    Long peak = properties == null ? null : properties.activations().livenessPeakBytes();
    return peak == null ? 0 : peak;
  }

  /** What shares memory counts once. */
  static long weightBytes(List<Weight> weights) {
    Set<Long> seen = new HashSet<>();
    long total = 0;
    for (Weight weight : weights) {
      TensorInfo t = weight.tensor();
      if (t.storage() < 0) total += t.elements() * t.itemBytes();
      else if (seen.add(t.storage())) total += Math.max(0, t.storageBytes());
    }
    return total;
  }

  /** Bytes with three digits behind the point, as "1.234 GB". */
  static String size(long bytes) {
    if (bytes < 1000) return bytes + " B";
    double value = bytes;
    int unit = -1;
    while (value >= 999.9995 && unit < 4) {
      value /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, "%.3f %sB", value, "kMGTP".charAt(unit));
  }

  /** Lifts it: a timed run is not to ask. A second call does nothing. */
  @Override
  public void close() {
    if (bytes != null) LibTorch.hostRoom(null);
  }
}
