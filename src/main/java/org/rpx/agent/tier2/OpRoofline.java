package org.rpx.agent.tier2;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.rpx.agent.tier1.OpGroup;

/**
 * The roofline op by op: each op takes at least max(FLOPs / peak, bytes / bandwidth), with the peak
 * of the type that it reckons in and its unfused bytes, and one runs after the other. No bound on a
 * compiler that fuses ops, but on an executor that runs them one by one.
 *
 * @param totalMs the sum over all ops in milliseconds
 * @param shareByOp of the total, by op, largest first; empty where the total is 0
 */
public record OpRoofline(double totalMs, Map<String, Double> shareByOp) {

  public OpRoofline {
    shareByOp = Collections.unmodifiableMap(new LinkedHashMap<>(shareByOp));
  }

  /**
   * Empty where the GPU has no known peak for an op's type, or an op's bytes are not known. Unknown
   * ops count with their bytes.
   */
  public static Optional<OpRoofline> of(List<OpGroup> ops, GpuTable.Row gpu) {
    Map<String, Double> ms = new TreeMap<>();
    double total = 0;
    for (OpGroup group : ops) {
      if (group.bytes() == null) return Optional.empty();
      double time = group.bytes() / (gpu.memoryBwGbps() * 1e6);
      if (group.flops() != null && group.flops() > 0) {
        String precision = group.precision();
        Double peak = precision == null ? null : gpu.peaks().get(precision);
        if (peak == null) return Optional.empty();
        time = Math.max(time, group.flops() / (peak * 1e9));
      }
      ms.merge(group.op(), time, Double::sum);
      total += time;
    }
    Map<String, Double> shares = new LinkedHashMap<>();
    double all = total;
    if (all > 0) {
      ms.entrySet().stream()
          .filter(e -> e.getValue() > 0)
          .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
          .forEach(e -> shares.put(e.getKey(), e.getValue() / all));
    }
    return Optional.of(new OpRoofline(total, shares));
  }
}
