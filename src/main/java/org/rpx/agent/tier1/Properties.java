package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** From what was recorded to tier 1. */
final class Properties {
  // Three passes over float32 parameters, whatever their type.
  private static final long RPX_BYTES_PER_PARAMETER = 12;

  private Properties() {}

  /** As {@link ModelProperties#of} has it. */
  static ModelProperties of(
      OpTrace trace,
      List<Weight> weights,
      FlopRegistry registry,
      TrafficModel traffic,
      boolean elementwise) {
    List<TensorInfo> parameters = Parameters.of(weights);
    List<TensorInfo> trainable =
        weights.stream().filter(Weight::requiresGrad).map(Weight::tensor).toList();
    List<TensorInfo> buffers =
        weights.stream().filter(w -> w.kind().equals("buffer")).map(Weight::tensor).toList();
    OpCosts costs = exact("FLOPs and bytes of its ops", () -> new OpCosts(trace, registry));
    ModelProperties properties =
        new ModelProperties(
            exact("its parameters", () -> Parameters.elements(parameters)),
            exact("its parameters", () -> Parameters.elements(trainable)),
            exact("its buffers", () -> Parameters.elements(buffers)),
            exact("FLOPs and bytes of its ops", costs::groups),
            exact("FLOPs and bytes of its modules", costs::modules),
            elementwise ? exact("its operations", () -> Elementwise.operations(trace)) : null,
            exact("bytes of its traffic", () -> traffic(trace, parameters, traffic)),
            exact("bytes of its activations", () -> Activations.of(trace, weights)),
            Precision.of(parameters, OpTrace.tensors(trace.inputs())));
    exact("its FLOPs", properties::flops);
    return properties;
  }

  private static <T> T exact(String what, Supplier<T> count) {
    try {
      return count.get();
    } catch (ArithmeticException e) {
      throw new ArithmeticException(what);
    }
  }

  private static MemoryTraffic traffic(
      OpTrace trace, List<TensorInfo> parameters, TrafficModel used) {
    List<TensorInfo> compulsory = new ArrayList<>(parameters);
    compulsory.addAll(OpTrace.tensors(trace.inputs()));
    compulsory.addAll(OpTrace.tensors(trace.outputs()));
    return new MemoryTraffic(
        Parameters.bytes(compulsory),
        Traffic.fused(trace),
        Traffic.unfused(trace),
        Math.multiplyExact(RPX_BYTES_PER_PARAMETER, Parameters.elements(parameters)),
        used);
  }
}
