package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** Distinct tensors: what shares memory counts once, in elements and in bytes. */
final class Parameters {
  private Parameters() {}

  /**
   * The tensors that are parameters: registered ones and packed weights; where a module registers none (a frozen graph), the
   * floating-point constants of its graph.
   */
  static List<TensorInfo> of(List<Weight> weights) {
    boolean frozen = weights.stream().noneMatch(w -> w.kind().equals("parameter") || w.kind().equals("packed"));
    return weights.stream()
        .filter(
            w ->
                w.kind().equals("parameter")
                    || w.kind().equals("packed")
                    || (frozen && w.kind().equals("constant") && w.tensor().floating()))
        .map(Weight::tensor)
        .toList();
  }

  static long elements(List<TensorInfo> tensors) {
    return distinct(tensors, t -> 1);
  }

  static long bytes(List<TensorInfo> tensors) {
    return distinct(tensors, TensorInfo::itemBytes);
  }

  private interface Unit {
    long of(TensorInfo tensor);
  }

  private static long distinct(List<TensorInfo> tensors, Unit unit) {
    Map<Long, List<TensorInfo>> byStorage = new HashMap<>();
    long total = 0;
    for (TensorInfo t : tensors) {
      if (t.storage() < 0) total = Math.addExact(total, Math.multiplyExact(t.elements(), unit.of(t)));
      else byStorage.computeIfAbsent(t.storage(), s -> new ArrayList<>()).add(t);
    }
    for (List<TensorInfo> sharing : byStorage.values()) total = Math.addExact(total, union(sharing, unit));
    return total;
  }

  /** Spans of one storage, overlaps once. A span with holes (a column of a matrix) counts what it holds, not the holes. */
  private static long union(List<TensorInfo> sharing, Unit unit) {
    sharing.sort(Comparator.comparingLong(TensorInfo::offset).thenComparing(t -> -t.extent()));
    long total = 0;
    long reached = Long.MIN_VALUE;
    for (TensorInfo t : sharing) {
      long end = t.offset() + t.extent();
      long fresh = Math.min(end - Math.max(t.offset(), reached), t.elements());
      if (fresh > 0) total = Math.addExact(total, Math.multiplyExact(fresh, unit.of(t)));
      reached = Math.max(reached, end);
    }
    return total;
  }
}
