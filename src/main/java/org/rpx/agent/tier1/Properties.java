package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.List;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** From what was recorded to tier 1. */
public final class Properties {
  // Three passes over float32 parameters, whatever their type.
  private static final long RPX_BYTES_PER_PARAMETER = 12;

  private Properties() {}

  /**
   * Counts one forward call.
   *
   * @throws ArithmeticException where a total does not fit into 2^63
   */
  public static ModelProperties of(
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
    OpCosts costs = new OpCosts(trace, registry);
    ModelProperties properties =
        new ModelProperties(
            Parameters.elements(parameters),
            Parameters.elements(trainable),
            Parameters.elements(buffers),
            costs.groups(),
            costs.modules(),
            elementwise ? Elementwise.operations(trace) : null,
            traffic(trace, parameters, traffic),
            Activations.of(trace, weights),
            Precision.of(parameters, OpTrace.tensors(trace.inputs())));
    properties.flops();
    return properties;
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
