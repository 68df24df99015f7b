package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;

/**
 * Sorts the ops of a forward call into kernels: a pointwise op or a normalisation joins the kernel
 * of the op that made its input, every other op begins one. A kernel reads what it did not make,
 * and writes what others read (definition in docs/method.md).
 */
final class FusedTraffic {
  /** What is in each storage now; an op that writes to it puts another value there. */
  private final Map<Long, Value> values = new HashMap<>();

  private final List<Value> made = new ArrayList<>();
  private final List<Kernel> kernels = new ArrayList<>();
  private long ids;

  private FusedTraffic() {}

  static long bytes(OpTrace trace) {
    FusedTraffic traffic = new FusedTraffic();
    trace.calls().forEach(traffic::add);
    for (TensorInfo t : OpTrace.tensors(trace.outputs())) traffic.value(t).readBy(null);
    long total = 0;
    for (Kernel kernel : traffic.kernels) total = Math.addExact(total, kernel.read());
    for (Value value : traffic.made) total = Math.addExact(total, value.written());
    return total;
  }

  private void add(OpCall call) {
    if (Traffic.view(call)) return;
    List<TensorInfo> inputs = OpTrace.tensors(call.arguments());
    Kernel kernel = host(call, inputs);
    if (kernel == null) kernel = begin(inputs);
    for (TensorInfo t : inputs) value(t).readBy(kernel);
    List<TensorInfo> outside = new ArrayList<>();
    for (TensorInfo t : Traffic.whole(call)) {
      Value value = value(t);
      if (value.maker() != kernel) outside.add(value.as(t));
    }
    kernel.reads(outside, Traffic.rows(call));
    write(call, kernel);
  }

  /**
   * The kernel that a call joins; null where it begins one. Only the last of its operands' kernels
   * can hold it, since that may need the others' results; and that kernel has to have each operand
   * at hand element for element, which a slice or a broadcast one is not.
   */
  private Kernel host(OpCall call, List<TensorInfo> inputs) {
    PointwiseOps.Kind kind = PointwiseOps.kind(call);
    List<TensorInfo> results = OpTrace.tensors(call.results());
    Kernel last = kind == null || results.isEmpty() ? null : last(inputs);
    if (last == null) return null;
    TensorInfo result = results.get(0);
    for (TensorInfo t : inputs) {
      Value value = value(t);
      if (value.maker() != last) continue;
      boolean moved = kind == PointwiseOps.Kind.COPIES && !sameLayout(t, result);
      if (moved || t.elements() != result.elements() || !value.isAllOf(t)) return null;
    }
    return last;
  }

  private Kernel last(List<TensorInfo> inputs) {
    Kernel last = null;
    for (TensorInfo t : inputs) {
      Kernel maker = value(t).maker();
      if (maker != null && (last == null || maker.compareTo(last) > 0)) last = maker;
    }
    return last;
  }

  private Kernel begin(List<TensorInfo> inputs) {
    Kernel last = last(inputs);
    Kernel kernel = new Kernel(last == null ? 0 : last.level() + 1, kernels.size());
    kernels.add(kernel);
    return kernel;
  }

  private void write(OpCall call, Kernel kernel) {
    Map<Long, List<TensorInfo>> byStorage = new LinkedHashMap<>();
    for (TensorInfo t : OpTrace.tensors(call.results()))
      byStorage.computeIfAbsent(t.storage(), s -> new ArrayList<>()).add(t);
    byStorage.forEach(
        (storage, tensors) -> {
          Value before = values.get(storage);
          Value value =
              new Value(
                  ids++, kernel, Parameters.bytes(tensors), before == null ? 0 : before.bytes());
          made.add(value);
          if (storage >= 0) values.put(storage, value);
        });
  }

  /** What an operand is part of. A weight or an input has no maker. */
  private Value value(TensorInfo t) {
    if (t.storage() < 0) return new Value(-1, null, 0, 0);
    return values.computeIfAbsent(t.storage(), s -> new Value(ids++, null, 0, t.storageBytes()));
  }

  private static boolean sameLayout(TensorInfo a, TensorInfo b) {
    if (!a.sizes().equals(b.sizes())) return false;
    for (int d = 0; d < a.rank(); d++) {
      if (a.size(d) > 1 && !a.strides().get(d).equals(b.strides().get(d))) return false;
    }
    return true;
  }
}
