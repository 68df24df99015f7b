package org.rpx.agent.exported;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which nodes of a graph an executor runs: those that the outputs depend on, and those that do more
 * than return something.
 */
final class Liveness {
  private Liveness() {}

  /** One bit for each node. */
  static BitSet of(Graph graph) {
    Set<String> used = new HashSet<>();
    use(graph.outputs(), used);
    BitSet live = new BitSet();
    List<Node> nodes = graph.nodes();
    for (int i = nodes.size() - 1; i >= 0; i--) {
      Node node = nodes.get(i);
      if (!effects(node) && !uses(node.outputs(), used)) continue;
      live.set(i);
      for (Node.Input input : node.inputs()) use(input.value(), used);
    }
    return live;
  }

  /** Products that are left out as dead, subgraphs included. */
  static int deadProducts(Graph graph) {
    BitSet live = of(graph);
    int dead = 0;
    List<Node> nodes = graph.nodes();
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get(i);
      if (!live.get(i) && Signatures.product(node.op())) dead++;
      if (live.get(i) && Tracer.inlined(node)) dead += deadProducts(Tracer.body(node).graph());
    }
    return dead;
  }

  /** Writes, checks, and operators on graphs, of which nobody knows what they do. */
  private static boolean effects(Node node) {
    return node.inPlace()
        || node.higherOrder()
        || !named(node.outputs())
        || node.argument("out") instanceof Reference;
  }

  private static boolean named(List<Object> outputs) {
    for (Object output : outputs) if (output != null && !(output instanceof Opaque)) return true;
    return false;
  }

  private static boolean uses(Object value, Set<String> used) {
    if (value instanceof Reference r) return used.contains(r.name());
    if (value instanceof SymbolReference s) return used.contains(s.name());
    if (value instanceof List<?> list) {
      for (Object item : list) if (uses(item, used)) return true;
    }
    return false;
  }

  private static void use(Object value, Set<String> used) {
    if (value instanceof Reference r) used.add(r.name());
    else if (value instanceof SymbolReference s) used.add(s.name());
    else if (value instanceof List<?> list) for (Object item : list) use(item, used);
  }
}
