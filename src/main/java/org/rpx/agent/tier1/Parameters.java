package org.rpx.agent.tier1;

import static java.lang.Math.addExact;
import static java.lang.Math.multiplyExact;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** Distinct tensors: what shares memory counts once, in elements and in bytes. */
final class Parameters {
  private Parameters() {}

  /**
   * The tensors that are parameters: registered ones and packed weights; where a module registers
   * none (a frozen graph), the floating-point constants of its graph.
   */
  static List<TensorInfo> of(List<Weight> weights) {
    boolean frozen =
        weights.stream().noneMatch(w -> w.kind().equals("parameter") || w.kind().equals("packed"));
    return weights.stream()
        .filter(
            w ->
                w.kind().equals("parameter")
                    || w.kind().equals("packed")
                    || (frozen && w.kind().equals("constant") && w.tensor().floating()))
        .map(Weight::tensor)
        .toList();
  }

  /** Elements that the tensors hold together. */
  static long elements(List<TensorInfo> tensors) {
    return distinct(tensors, t -> 1);
  }

  /** Bytes that the tensors hold together. */
  static long bytes(List<TensorInfo> tensors) {
    return distinct(tensors, TensorInfo::itemBytes);
  }

  private static long distinct(List<TensorInfo> tensors, ToLongFunction<TensorInfo> unit) {
    Map<Long, List<TensorInfo>> byStorage = new HashMap<>();
    long total = 0;
    for (TensorInfo t : tensors) {
      if (t.storage() < 0) {
        total = addExact(total, multiplyExact(t.elements(), unit.applyAsLong(t)));
      } else {
        byStorage.computeIfAbsent(t.storage(), s -> new ArrayList<>()).add(t);
      }
    }
    for (List<TensorInfo> sharing : byStorage.values()) {
      total = addExact(total, union(sharing, unit));
    }
    return total;
  }

  /**
   * What tensors of one storage hold together: no more than the spans that they cover (overlaps
   * once), nor than they hold each (interleaved halves of one tensor span it twice). Exact but
   * where spans with holes overlap in part; there it is an upper bound.
   */
  private static long union(List<TensorInfo> sharing, ToLongFunction<TensorInfo> unit) {
    sharing.sort(
        Comparator.comparingLong(TensorInfo::offset)
            .thenComparingLong(TensorInfo::extent)
            .thenComparing(Comparator.comparingLong(TensorInfo::stored).reversed()));
    long held = 0;
    long covered = 0;
    long reached = Long.MIN_VALUE;
    TensorInfo before = null;
    for (TensorInfo t : sharing) {
      if (before != null && before.offset() == t.offset() && before.extent() == t.extent())
        continue;
      long size = unit.applyAsLong(t);
      long start = multiplyExact(t.offset(), size);
      long end = addExact(start, multiplyExact(t.extent(), size));
      held = addExact(held, multiplyExact(t.stored(), size));
      covered = addExact(covered, Math.max(0, end - Math.max(start, reached)));
      reached = Math.max(reached, end);
      before = t;
    }
    return Math.min(held, covered);
  }
}
