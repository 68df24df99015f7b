package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;

/**
 * Modelled memory traffic of one forward call, op by op, as an eager executor has it: each op reads
 * its distinct inputs and writes its outputs.
 */
final class Traffic {
  /** Ops that read only the rows that they are asked for, from their first argument. */
  private static final Set<String> LOOKUPS =
      Set.of(
          "embedding",
          "index_select",
          "gather",
          "index",
          "take",
          "take_along_dim",
          "embedding_bag");

  private Traffic() {}

  /** Bytes over all calls. */
  static long unfused(OpTrace trace) {
    long total = 0;
    for (OpCall call : trace.calls()) total = Math.addExact(total, bytes(call));
    return total;
  }

  /**
   * Bytes of one call: its distinct inputs at what their storage holds of them (a broadcast operand
   * is stored once), and its outputs. A view moves nothing; an in-place op reads and writes.
   */
  static long bytes(OpCall call) {
    List<TensorInfo> inputs = OpTrace.tensors(call.arguments());
    List<TensorInfo> outputs = OpTrace.tensors(call.results());
    Set<Long> read = new HashSet<>();
    inputs.forEach(t -> read.add(t.storage()));
    read.remove(-1L);
    boolean view = outputs.stream().allMatch(t -> read.contains(t.storage()));
    if (view && !inPlace(call.name())) return 0;
    long bytes = Parameters.bytes(outputs);
    if (LOOKUPS.contains(call.name().replace("aten::", "")) && !inputs.isEmpty()) {
      TensorInfo table = inputs.get(0);
      List<TensorInfo> rest = new ArrayList<>(inputs.subList(1, inputs.size()));
      long touched = Math.min(Parameters.bytes(List.of(table)), Parameters.bytes(outputs));
      return Math.addExact(bytes, Math.addExact(touched, Parameters.bytes(rest)));
    }
    return Math.addExact(bytes, Parameters.bytes(inputs));
  }

  private static boolean inPlace(String name) {
    return name.endsWith("_") && !name.endsWith("__");
  }
}
