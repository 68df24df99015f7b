package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/**
 * The most that a forward call has to hold at once: each tensor lives from the op that makes it to
 * the last one that uses it, the call's outputs to the end; views and in-place results are their
 * base's memory. Inputs, parameters and buffers are not part of it.
 */
final class Activations {
  private Activations() {}

  static ActivationMemory of(OpTrace trace, List<Weight> weights) {
    Set<Long> given = new HashSet<>();
    weights.forEach(w -> given.add(w.tensor().storage()));
    OpTrace.tensors(trace.inputs()).forEach(t -> given.add(t.storage()));
    given.add(-1L);

    List<OpCall> calls = trace.calls();
    Map<Long, TensorInfo> made = new HashMap<>();
    Map<Long, Integer> first = new HashMap<>();
    Map<Long, Integer> last = new HashMap<>();
    for (int i = 0; i < calls.size(); i++) {
      for (TensorInfo t : OpTrace.tensors(calls.get(i).results())) {
        if (given.contains(t.storage())) continue;
        if (made.putIfAbsent(t.storage(), t) == null) first.put(t.storage(), i);
        last.put(t.storage(), i);
      }
      for (TensorInfo t : OpTrace.tensors(calls.get(i).arguments())) {
        if (made.containsKey(t.storage())) last.put(t.storage(), i);
      }
    }
    for (TensorInfo t : OpTrace.tensors(trace.outputs())) {
      if (made.containsKey(t.storage())) last.put(t.storage(), calls.size());
    }
    return sweep(calls, made, first, last);
  }

  private static ActivationMemory sweep(
      List<OpCall> calls,
      Map<Long, TensorInfo> made,
      Map<Long, Integer> first,
      Map<Long, Integer> last) {
    List<List<TensorInfo>> born = new ArrayList<>();
    List<List<TensorInfo>> die = new ArrayList<>();
    for (int i = 0; i <= calls.size() + 1; i++) {
      born.add(new ArrayList<>());
      die.add(new ArrayList<>());
    }
    made.forEach(
        (storage, t) -> {
          born.get(first.get(storage)).add(t);
          die.get(last.get(storage) + 1).add(t);
        });
    long bytes = 0;
    long elements = 0;
    long peak = 0;
    long peakElements = 0;
    long total = 0;
    OpCall holder = null;
    for (int i = 0; i < calls.size(); i++) {
      for (TensorInfo t : die.get(i)) {
        bytes -= t.storageBytes();
        elements -= t.storageBytes() / t.itemBytes();
      }
      for (TensorInfo t : born.get(i)) {
        bytes = Math.addExact(bytes, t.storageBytes());
        total = Math.addExact(total, t.storageBytes());
        elements += t.storageBytes() / t.itemBytes();
      }
      if (bytes > peak) holder = calls.get(i);
      peak = Math.max(peak, bytes);
      peakElements = Math.max(peakElements, elements);
    }
    return new ActivationMemory(
        peak,
        Math.multiplyExact(2, peakElements),
        total,
        holder == null ? null : holder.name(),
        holder == null ? null : holder.module());
  }
}
