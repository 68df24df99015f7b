package org.rpx.agent.tier1;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;

/**
 * Modelled memory traffic of one forward call. An eager executor goes op by op: each reads its
 * distinct inputs and writes its outputs. A fusing one does so kernel by kernel.
 */
final class Traffic {
  /** Ops that read only the rows that they are asked for, from their first argument. */
  private static final Set<String> LOOKUPS =
      Set.of(
          "aten::embedding",
          "aten::index_select",
          "aten::gather",
          "aten::index",
          "aten::take",
          "aten::take_along_dim",
          "aten::embedding_bag");

  /** They read a tensor and give a number. Others that give no tensor ask for its shape or type. */
  private static final Set<String> READERS =
      Set.of(
          "aten::item",
          "aten::_local_scalar_dense",
          "aten::is_nonzero",
          "aten::equal",
          "aten::allclose");

  /** In place, but only on a tensor's shape. */
  private static final Set<String> RESHAPED =
      Set.of(
          "aten::as_strided_",
          "aten::detach_",
          "aten::rename_",
          "aten::requires_grad_",
          "aten::squeeze_",
          "aten::swapaxes_",
          "aten::swapdims_",
          "aten::t_",
          "aten::transpose_",
          "aten::unsqueeze_");

  private Traffic() {}

  /** Bytes over all calls. */
  static long unfused(OpTrace trace) {
    long total = 0;
    for (OpCall call : trace.calls()) total = Math.addExact(total, bytes(call));
    return total;
  }

  /** Bytes where pointwise ops and normalisations run as part of the op before them. */
  static long fused(OpTrace trace) {
    return FusedTraffic.bytes(trace);
  }

  /**
   * Bytes of one call: its distinct inputs at what their storage holds of them (a broadcast operand
   * is stored once), and its outputs. A view moves nothing; an in-place op reads and writes.
   */
  static long bytes(OpCall call) {
    if (view(call)) return 0;
    long written = Parameters.bytes(OpTrace.tensors(call.results()));
    return Math.addExact(Math.addExact(written, rows(call)), Parameters.bytes(whole(call)));
  }

  /** Whether a call only gives out memory that it was given, and leaves it as it is. */
  static boolean view(OpCall call) {
    if (inPlace(call.name()) || writesOut(call) || READERS.contains(call.name())) return false;
    Set<Long> given = new HashSet<>();
    OpTrace.tensors(call.arguments()).forEach(t -> given.add(t.storage()));
    given.remove(-1L);
    return OpTrace.tensors(call.results()).stream().allMatch(t -> given.contains(t.storage()));
  }

  /** The table that a lookup reads some rows of; null for other ops. */
  static TensorInfo table(OpCall call) {
    if (!LOOKUPS.contains(call.name())) return null;
    List<TensorInfo> inputs = OpTrace.tensors(call.arguments());
    return inputs.isEmpty() ? null : inputs.get(0);
  }

  /** Bytes of the rows that a lookup reads: as much as it gives out, at most the table. */
  static long rows(OpCall call) {
    TensorInfo table = table(call);
    if (table == null) return 0;
    return Math.min(
        Parameters.bytes(List.of(table)), Parameters.bytes(OpTrace.tensors(call.results())));
  }

  /** The inputs that a call reads all of. */
  static List<TensorInfo> whole(OpCall call) {
    List<TensorInfo> inputs = OpTrace.tensors(call.arguments());
    // What an out= variant writes to comes last in its schema, and is not read.
    int results = writesOut(call) ? OpTrace.tensors(call.results()).size() : 0;
    int end = Math.max(0, inputs.size() - results);
    return inputs.subList(table(call) == null ? 0 : Math.min(1, end), end);
  }

  private static boolean writesOut(OpCall call) {
    return call.overload().equals("out") || call.overload().endsWith("_out");
  }

  private static boolean inPlace(String name) {
    return name.endsWith("_") && !name.endsWith("__") && !RESHAPED.contains(name);
  }
}
