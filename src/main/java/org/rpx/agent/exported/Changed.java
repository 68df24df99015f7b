package org.rpx.agent.exported;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which weights and inputs of a graph its ops write to, directly or through a view. Where a result
 * may or may not be a view it counts as one: putting back what did not change does no harm.
 */
final class Changed {
  private final Set<String> written = new HashSet<>();

  private Changed() {}

  /** Names of the graph's inputs. */
  static Set<String> inputs(Graph graph) {
    Changed changed = new Changed();
    Map<String, String> roots = new HashMap<>();
    for (Object input : graph.inputs())
      if (input instanceof Reference r) roots.put(r.name(), r.name());
    changed.walk(graph, roots);
    return changed.written;
  }

  /**
   * @param roots by a value's name, the input of the outermost graph whose memory it may have
   */
  private void walk(Graph graph, Map<String, String> roots) {
    for (Node node : graph.nodes()) {
      if (node.argument("out") instanceof Reference out) write(out, roots);
      Object first = node.inputs().isEmpty() ? null : node.inputs().get(0).value();
      if (node.inPlace() && first instanceof Reference r) write(r, roots);
      if (first instanceof Reference r && Views.possible(node)) {
        String root = roots.get(r.name());
        if (root != null) node.outputs().forEach(o -> alias(o, root, roots));
      }
      for (Node.Input input : node.inputs())
        if (input.value() instanceof Subgraph body) inner(node, body.graph(), roots);
    }
  }

  private void write(Reference r, Map<String, String> roots) {
    if (roots.containsKey(r.name())) written.add(roots.get(r.name()));
  }

  private static void alias(Object output, String root, Map<String, String> roots) {
    if (output instanceof Reference r) roots.put(r.name(), root);
    else if (output instanceof List<?> list) list.forEach(o -> alias(o, root, roots));
  }

  /** A graph's inputs are the node's last operands. */
  private void inner(Node node, Graph graph, Map<String, String> roots) {
    List<Object> operands = Steps.behind(node);
    int skip = operands.size() - graph.inputs().size();
    if (skip < 0) return;
    Map<String, String> inside = new HashMap<>();
    for (int i = 0; i < graph.inputs().size(); i++) {
      if (graph.inputs().get(i) instanceof Reference name
          && operands.get(skip + i) instanceof Reference given
          && roots.containsKey(given.name())) inside.put(name.name(), roots.get(given.name()));
    }
    walk(graph, inside);
  }
}
