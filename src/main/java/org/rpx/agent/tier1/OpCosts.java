package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;

/** What each call costs, added up by equal calls and by module. */
final class OpCosts {
  private record Kind(String op, String dtype, Long flops, long bytes) {
    // A record's own two are put together at run time: 20 ms of a short command.
    @Override
    public boolean equals(Object other) {
      return other instanceof Kind k
          && op.equals(k.op)
          && Objects.equals(dtype, k.dtype)
          && Objects.equals(flops, k.flops)
          && bytes == k.bytes;
    }

    @Override
    public int hashCode() {
      return 31 * (31 * op.hashCode() + Objects.hashCode(flops)) + Long.hashCode(bytes);
    }
  }

  private final Map<Kind, Long> calls = new LinkedHashMap<>();

  /**
   * Calls, FLOPs and bytes of a module's own ops: a deep one's are added to those above it once.
   */
  private final Map<String, long[]> modules = new LinkedHashMap<>();

  OpCosts(OpTrace trace, FlopRegistry registry) {
    modules.put("", new long[3]);
    for (OpCall call : trace.calls()) add(call, registry.flops(call));
  }

  private void add(OpCall call, Long flops) {
    long bytes = Traffic.bytes(call);
    calls.merge(new Kind(call.name(), dtype(call), flops, bytes), 1L, Long::sum);
    String path = call.module() == null ? "" : call.module();
    add(modules.computeIfAbsent(path, p -> new long[3]), 1, flops == null ? 0 : flops, bytes);
  }

  private static void add(long[] cost, long calls, long flops, long bytes) {
    cost[0] += calls;
    cost[1] = Math.addExact(cost[1], flops);
    cost[2] = Math.addExact(cost[2], bytes);
  }

  private static int next(String path, int end) {
    if (end == path.length()) return -1;
    int dot = path.indexOf('.', end + 1);
    return dot < 0 ? path.length() : dot;
  }

  /** In the order in which they first ran. */
  List<OpGroup> groups() {
    List<OpGroup> groups = new ArrayList<>();
    calls.forEach(
        (kind, n) -> {
          Long flops = kind.flops() == null ? null : Math.multiplyExact(n, kind.flops());
          long bytes = Math.multiplyExact(n, kind.bytes());
          groups.add(new OpGroup(kind.op(), kind.dtype(), n, flops, bytes));
        });
    return groups;
  }

  List<ModuleCost> modules() {
    Map<String, long[]> all = new LinkedHashMap<>();
    modules.forEach(
        (path, c) -> {
          // The root, then each module on the way: "a" and "a.b" of "a.b.c", and that itself.
          for (int end = 0; end >= 0; end = next(path, end))
            add(all.computeIfAbsent(path.substring(0, end), p -> new long[3]), c[0], c[1], c[2]);
        });
    List<ModuleCost> costs = new ArrayList<>();
    all.forEach((path, c) -> costs.add(new ModuleCost(path, c[0], c[1], c[2])));
    return costs;
  }

  /** What a call reckons in. */
  static String dtype(OpCall call) {
    List<TensorInfo> tensors = OpTrace.tensors(call.arguments());
    // A dynamically quantised product takes floats and multiplies integers.
    for (TensorInfo t : tensors) if (t.dtype().startsWith("q")) return "int8";
    for (TensorInfo t : tensors) if (t.floating()) return t.dtype();
    for (TensorInfo t : OpTrace.tensors(call.results())) if (t.floating()) return t.dtype();
    return tensors.isEmpty() ? null : tensors.get(0).dtype();
  }
}
