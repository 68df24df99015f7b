package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The nodes of a graph that run, in order, and behind which of them each value dies. */
final class Steps {
  /**
   * A node in the scope where it stands. Nodes of graphs that only set a mode are among their
   * parent's.
   */
  record Step(Node node, Scope scope) {}

  private final List<Step> steps = new ArrayList<>();

  /**
   * Names every value that the graph makes.
   *
   * @param extra nodes to run behind the graph's own
   */
  Steps(Scope scope, List<Node> extra) {
    add(scope);
    for (Node node : extra) steps.add(new Step(node, scope));
  }

  List<Step> all() {
    return steps;
  }

  private void add(Scope scope) {
    List<Node> nodes = scope.graph().nodes();
    BitSet live = Liveness.of(scope.graph());
    for (int i = live.nextSetBit(0); i >= 0; i = live.nextSetBit(i + 1)) {
      Node node = nodes.get(i);
      if (node.op().equals("higher_order::wrap_with_set_grad_enabled") && Tracer.body(node) != null)
        inline(node, scope);
      else {
        for (Object output : node.outputs()) names(output, scope);
        steps.add(new Step(node, scope));
      }
    }
  }

  private static void names(Object output, Scope scope) {
    if (output instanceof List<?> list) list.forEach(o -> names(o, scope));
    else if (Scope.isNamed(output)) scope.name(Scope.named(output));
  }

  /** Gradients are off in any case: its nodes are as good as the parent's own. */
  private void inline(Node node, Scope scope) {
    Subgraph body = Tracer.body(node);
    Scope inner = scope.inner(body.graph());
    List<Object> operands = behind(node);
    List<Object> inputs = body.graph().inputs();
    if (operands.size() != inputs.size() || body.graph().outputs().size() != flat(node).size())
      throw new GraphException(
          node.title() + " and its graph take different numbers of values; export it again");
    for (int i = 0; i < inputs.size(); i++)
      inner.alias(Scope.named(inputs.get(i)), scope.known(node, Scope.named(operands.get(i))));
    add(inner);
    for (int i = 0; i < flat(node).size(); i++) {
      Object made = body.graph().outputs().get(i);
      Object output = flat(node).get(i);
      if (made != null && output != null)
        scope.alias(Scope.named(output), inner.name(Scope.named(made)));
    }
  }

  private static List<Object> flat(Node node) {
    List<Object> all = new ArrayList<>();
    for (Object output : node.outputs()) {
      if (output instanceof List<?> list) all.addAll(list);
      else all.add(output);
    }
    return all;
  }

  /** What follows a node's graphs: values, and items of lists. */
  static List<Object> behind(Node node) {
    List<Object> rest = new ArrayList<>();
    for (Node.Input input : node.inputs()) {
      if (input.value() instanceof Subgraph) rest.clear();
      else if (input.value() instanceof List<?> list) rest.addAll(list);
      else rest.add(input.value());
    }
    return rest;
  }

  /** For each step the values that nothing uses after it. */
  List<List<Integer>> dead(Set<Integer> kept) {
    List<List<Integer>> dead = new ArrayList<>();
    Set<Integer> seen = new HashSet<>(kept);
    for (int i = steps.size() - 1; i >= 0; i--) {
      Step step = steps.get(i);
      Set<Integer> used = new HashSet<>();
      for (Node.Input input : step.node().inputs()) use(input.value(), step.scope(), used);
      for (Object output : step.node().outputs()) use(output, step.scope(), used);
      dead.add(used.stream().filter(seen::add).toList());
    }
    Collections.reverse(dead);
    return dead;
  }

  private static void use(Object value, Scope scope, Set<Integer> used) {
    if (value instanceof List<?> list) list.forEach(v -> use(v, scope, used));
    else if (Scope.isNamed(value)) {
      Integer id = scope.find(Scope.named(value));
      if (id != null) used.add(id);
    }
  }
}
