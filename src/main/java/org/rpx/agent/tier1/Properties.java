package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** From what was recorded to tier 1. */
public final class Properties {
  private Properties() {}

  /**
   * Counts one forward call.
   *
   * @throws ArithmeticException where a total does not fit into 2^63
   */
  public static ModelProperties of(OpTrace trace, List<Weight> weights, FlopRegistry registry) {
    Map<String, Long> flopsByOp = new TreeMap<>();
    Map<String, Long> uncounted = new TreeMap<>();
    for (OpCall call : trace.calls()) {
      Long flops = registry.flops(call);
      if (flops == null) uncounted.merge(call.name(), 1L, Long::sum);
      else if (flops > 0) flopsByOp.merge(call.name(), flops, Math::addExact);
    }
    long flops = 0;
    for (long each : flopsByOp.values()) flops = Math.addExact(flops, each);

    List<TensorInfo> parameters = Parameters.of(weights);
    List<TensorInfo> trainable =
        weights.stream().filter(Weight::requiresGrad).map(Weight::tensor).toList();
    List<TensorInfo> buffers =
        weights.stream().filter(w -> w.kind().equals("buffer")).map(Weight::tensor).toList();
    List<TensorInfo> compulsory = new ArrayList<>(parameters);
    compulsory.addAll(OpTrace.tensors(trace.inputs()));
    compulsory.addAll(OpTrace.tensors(trace.outputs()));
    Activations.Peak peak = Activations.peak(trace, weights);
    return new ModelProperties(
        Parameters.elements(parameters),
        Parameters.elements(trainable),
        Parameters.elements(buffers),
        flops,
        flops / 2,
        uncounted.isEmpty(),
        largestFirst(flopsByOp),
        largestFirst(uncounted),
        Parameters.bytes(compulsory),
        peak.bytes(),
        peak.halfBytes(),
        Precision.of(parameters, OpTrace.tensors(trace.inputs())));
  }

  private static Map<String, Long> largestFirst(Map<String, Long> counts) {
    Map<String, Long> sorted = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .forEach(e -> sorted.put(e.getKey(), e.getValue()));
    return sorted;
  }
}
