package org.rpx.agent.tier1;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.Weight;

/**
 * Tier 1: what one forward call of a model needs, the same on any hardware. Counts are exact
 * integers; a count that is not known is null.
 *
 * @param params distinct parameters, frozen or not, tied ones once (elements)
 * @param trainableParams those of them that want a gradient
 * @param buffers elements of distinct registered buffers
 * @param ops what ran, in groups of equal cost; null where it is not known
 * @param modules by module path, the root first; the root alone where the program names no other
 * @param elementwise operations of pointwise ops, one for each element of a result; not part of
 *     FLOPs; null unless it was asked for
 * @param precision the floating-point type that the weights have (or the inputs, where there are no
 *     weights): fp32, fp16, bf16, fp64, or int8 where weights are packed; null where none is known
 */
public record ModelProperties(
    Long params,
    Long trainableParams,
    Long buffers,
    List<OpGroup> ops,
    List<ModuleCost> modules,
    Long elementwise,
    MemoryTraffic traffic,
    ActivationMemory activations,
    String precision) {

  /** An op that is neither counted nor free: how often it ran, and the bytes that it moved. */
  public record Uncounted(long calls, Long bytes) {
    Uncounted plus(Uncounted other) {
      boolean known = bytes != null && other.bytes != null;
      return new Uncounted(calls + other.calls, known ? Math.addExact(bytes, other.bytes) : null);
    }
  }

  public ModelProperties {
    ops = ops == null ? null : List.copyOf(ops);
    modules = List.copyOf(modules);
  }

  /**
   * Counts one forward call from what was recorded of it.
   *
   * @param weights parameters and buffers of the model
   * @param registry what each op costs
   * @param traffic the model of memory traffic that {@link #traffic} uses
   * @param elementwise whether to count pointwise operations too
   * @throws ArithmeticException where a total does not fit into 2^63, naming it: "its activations"
   */
  public static ModelProperties of(
      OpTrace trace,
      List<Weight> weights,
      FlopRegistry registry,
      TrafficModel traffic,
      boolean elementwise) {
    return Properties.of(trace, weights, registry, traffic, elementwise);
  }

  /**
   * Floating-point operations of the counted ops, 2 per multiply-accumulate; a lower bound unless
   * {@link #flopsComplete}.
   *
   * @throws ArithmeticException where the total does not fit into 2^63
   */
  public Long flops() {
    if (ops == null) return null;
    long flops = 0;
    for (OpGroup group : ops)
      if (group.flops() != null) flops = Math.addExact(flops, group.flops());
    return flops;
  }

  /** Half of {@link #flops}. */
  public Long macs() {
    Long flops = flops();
    return flops == null ? null : flops / 2;
  }

  /** Whether every op that ran is either counted or free by definition. */
  public boolean flopsComplete() {
    return ops != null && ops.stream().allMatch(g -> g.flops() != null);
  }

  /** FLOPs by op as the program wrote it, largest first, free ones left out. */
  public Map<String, Long> flopsByOp() {
    return flopsBy(OpGroup::op);
  }

  /** FLOPs by what is reckoned in, largest first: those of "int8" are integer operations. */
  public Map<String, Long> flopsByDtype() {
    return flopsBy(OpGroup::dtype);
  }

  /** Ops that are neither counted nor free, most calls first. */
  public Map<String, Uncounted> uncountedOps() {
    Map<String, Uncounted> found = new TreeMap<>();
    for (OpGroup group : ops == null ? List.<OpGroup>of() : ops) {
      if (group.flops() == null)
        found.merge(group.op(), new Uncounted(group.calls(), group.bytes()), Uncounted::plus);
    }
    return sorted(found, Comparator.comparingLong(Uncounted::calls).reversed());
  }

  /** FLOPs per byte of the traffic in use; null where either is unknown or no byte moves. */
  public Double arithmeticIntensity() {
    Long flops = flops();
    Long bytes = traffic.bytes();
    return flops == null || bytes == null || bytes == 0 ? null : (double) flops / bytes;
  }

  private Map<String, Long> flopsBy(Function<OpGroup, String> key) {
    Map<String, Long> found = new TreeMap<>();
    for (OpGroup group : ops == null ? List.<OpGroup>of() : ops) {
      if (group.flops() != null && group.flops() > 0)
        found.merge(
            Objects.requireNonNullElse(key.apply(group), "none"), group.flops(), Math::addExact);
    }
    return sorted(found, Comparator.reverseOrder());
  }

  private static <V> Map<String, V> sorted(Map<String, V> map, Comparator<V> order) {
    Map<String, V> sorted = new LinkedHashMap<>();
    map.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(order))
        .forEach(e -> sorted.put(e.getKey(), e.getValue()));
    return Collections.unmodifiableMap(sorted);
  }
}
