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
      if (t.storage() < 0)
        total = Math.addExact(total, Math.multiplyExact(t.elements(), unit.of(t)));
      else byStorage.computeIfAbsent(t.storage(), s -> new ArrayList<>()).add(t);
    }
    for (List<TensorInfo> sharing : byStorage.values())
      total = Math.addExact(total, union(sharing, unit));
    return total;
  }

  /**
   * Elements that tensors of one storage hold together: no more than the spans that they cover
   * (overlaps once), nor than they hold each (interleaved halves of one tensor span it twice).
   */
  private static long union(List<TensorInfo> sharing, Unit unit) {
    sharing.sort(
        Comparator.comparingLong(TensorInfo::offset).thenComparingLong(TensorInfo::extent));
    long held = 0;
    long covered = 0;
    long reached = Long.MIN_VALUE;
    TensorInfo before = null;
    for (TensorInfo t : sharing) {
      if (before != null && before.offset() == t.offset() && before.extent() == t.extent())
        continue;
      long end = Math.addExact(t.offset(), t.extent());
      held = Math.addExact(held, Math.min(t.elements(), t.extent()));
      covered = Math.addExact(covered, Math.max(0, end - Math.max(t.offset(), reached)));
      reached = Math.max(reached, end);
      before = t;
    }
    return Math.multiplyExact(Math.min(held, covered), unit.of(sharing.get(0)));
  }
}
