package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rpx.agent.exported.Program.Binding;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** The tensors that belong to a program, with what shares memory. */
final class Weights {
  private static final Map<String, String> KINDS =
      Map.of("parameter", "parameter", "buffer", "buffer", "tensor_constant", "constant");

  private static final Symbols NONE = Symbols.bind(List.of(), Map.of());

  private final Map<String, Long> storages = new HashMap<>();
  private final Map<String, Weight> byName = new LinkedHashMap<>();
  private final Map<String, TensorInfo> byGraphName = new HashMap<>();

  /**
   * Lists them.
   *
   * @param payloads where their bytes lie, by name; empty where the file keeps them as a compressed
   *     pickle. Then the graph tells their shapes, and nothing tells which of them are tied
   */
  Weights(Program program, Map<String, Payload> payloads) {
    Set<String> placed = new HashSet<>();
    for (Binding input : program.inputs()) {
      String kind = KINDS.get(input.kind());
      if (kind == null || !(input.value() instanceof Reference r)) continue;
      if (input.target() == null)
        throw new GraphException("its " + kind + " " + r.name() + " has no name; export it again");
      Payload payload = payloads.get(input.target());
      TensorMeta meta = payload != null ? payload.meta() : program.graph().tensors().get(r.name());
      if (meta == null)
        throw new GraphException(
            "its graph does not tell what " + kind + " " + r.name() + " is; export it again");
      String path = payload != null ? payload.path() : "\0" + input.target();
      TensorInfo info = tensor(input.target(), meta, path);
      byGraphName.put(r.name(), info);
      if (placed.add(input.target()))
        byName.put(input.target(), new Weight(kind, input.target(), meta.requiresGrad(), info));
    }
    // What the graph does not take is part of the model all the same.
    payloads.forEach(
        (name, payload) -> {
          if (placed.contains(name)) return;
          String kind = payload.parameter() ? "parameter" : "buffer";
          if (payload.path().matches(".*(data/|serialized_)constants.*")) kind = "constant";
          TensorInfo info = tensor(name, payload.meta(), payload.path());
          byName.put(name, new Weight(kind, name, payload.meta().requiresGrad(), info));
        });
  }

  /** Whether an input of the graph is one of them. */
  static boolean isWeight(Binding input) {
    return KINDS.containsKey(input.kind());
  }

  List<Weight> all() {
    return new ArrayList<>(byName.values());
  }

  /** By the names that the graph has for them. */
  Map<String, TensorInfo> inGraph() {
    return byGraphName;
  }

  /** Storages with this number and above are free. */
  long storages() {
    return storages.size();
  }

  private TensorInfo tensor(String name, TensorMeta meta, String path) {
    for (Size size : meta.sizes()) {
      if (size.symbolic())
        throw new GraphException(
            "the shape of weight " + name + " depends on inputs; export it again");
    }
    long storage = storages.computeIfAbsent(path, p -> (long) storages.size());
    return Tensors.of("weight " + name, meta, NONE).in(storage);
  }
}
