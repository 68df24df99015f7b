package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Lays graphs out: values get numbers, and each is freed behind the last node that uses it. */
final class Flattener {
  private static final int OP = 0;
  private static final int NUMBER = 1;
  private static final int BRANCH = 2;
  private static final int LOOP = 3;
  private static final int AUTOCAST = 4;

  private final FlatLayout out;
  private final Refusals refusals;
  private final Operands operands;
  private int values;

  Flattener(FlatLayout out, Refusals refusals) {
    this.out = out;
    this.refusals = refusals;
    this.operands = new Operands(out, refusals);
  }

  /** Values that were given numbers. */
  int values() {
    return values;
  }

  int fresh() {
    return values++;
  }

  /**
   * A block: inputs, nodes, outputs.
   *
   * @param extra nodes to run behind the graph's own
   */
  void block(Scope scope, List<Object> inputs, List<Node> extra, List<Object> outputs) {
    out.number(inputs.size());
    for (Object input : inputs) out.number(scope.name(Scope.named(input)));
    Steps steps = new Steps(scope, extra);
    for (Object output : outputs) if (Scope.isNamed(output)) scope.keep(Scope.named(output));
    List<List<Integer>> dead = steps.dead(scope.kept());
    int count = out.number(0);
    int written = 0;
    for (int i = 0; i < dead.size(); i++) {
      if (!node(steps.all().get(i))) continue;
      written++;
      out.number(dead.get(i).size());
      dead.get(i).forEach(out::number);
    }
    out.set(count, written);
    operands.all(null, "an output", outputs, scope);
  }

  /** Whether there is a node of that kind to run. */
  private boolean node(Steps.Step step) {
    Node node = step.node();
    Scope scope = step.scope();
    switch (node.op()) {
      case "higher_order::cond" -> {
        graphs(node, 2);
        out.number(BRANCH);
        operand(node, 0, scope);
        subgraph(node, 0, scope);
        subgraph(node, 1, scope);
        operands(node, Steps.behind(node), scope);
      }
      case "higher_order::while_loop" -> {
        graphs(node, 2);
        out.number(LOOP);
        subgraph(node, 0, scope);
        subgraph(node, 1, scope);
        loopOperands(node, scope);
      }
      case "higher_order::wrap_with_autocast" -> {
        graphs(node, 1);
        out.number(AUTOCAST);
        Object device = node.inputs().get(0).value();
        out.word(device instanceof String s ? s : "cpu");
        operand(node, 1, scope);
        operand(node, 2, scope);
        subgraph(node, 0, scope);
        operands(node, Steps.behind(node), scope);
      }
      default -> {
        if (node.higherOrder()) {
          refusals.add(node.title() + " (an operator on graphs)");
          return false;
        }
        op(node, scope);
      }
    }
    results(node, scope);
    return true;
  }

  private static void graphs(Node node, int wanted) {
    long found = node.inputs().stream().filter(i -> i.value() instanceof Subgraph).count();
    if (found != wanted || node.inputs().size() < wanted + 1)
      throw new GraphException(node.title() + " has not the graphs that it needs; export it again");
  }

  private void subgraph(Node node, int which, Scope scope) {
    int seen = 0;
    for (Node.Input input : node.inputs()) {
      if (!(input.value() instanceof Subgraph body) || seen++ != which) continue;
      Graph graph = body.graph();
      block(scope.inner(graph), graph.inputs(), List.of(), graph.outputs());
    }
  }

  /** Carried values are a list of their own, then those that stay the same. */
  private void loopOperands(Node node, Scope scope) {
    List<List<?>> lists = new ArrayList<>();
    int graphs = 0;
    for (Node.Input input : node.inputs()) {
      if (input.value() instanceof Subgraph) graphs++;
      else if (graphs == 2)
        lists.add(
            input.value() instanceof List<?> l ? l : Collections.singletonList(input.value()));
    }
    operands(node, lists.isEmpty() ? List.of() : lists.get(0), scope);
    operands(node, lists.size() < 2 ? List.of() : lists.get(1), scope);
  }

  private void op(Node node, Scope scope) {
    boolean number = node.numbersOnly();
    out.number(number ? NUMBER : OP);
    out.word(node.op());
    if (!number) out.word(node.overload());
    out.number(node.inputs().size());
    for (int i = 0; i < node.inputs().size(); i++) {
      if (!number) out.word(node.inputs().get(i).name());
      operand(node, i, scope);
    }
  }

  private void operand(Node node, int i, Scope scope) {
    Node.Input input = node.inputs().get(i);
    String argument = input.name().isEmpty() ? String.valueOf(i) : input.name();
    operands.add(node, node.title() + "'s argument " + argument, input.value(), scope);
  }

  private void operands(Node node, List<?> values, Scope scope) {
    operands.all(node, "an operand of " + node.title(), values, scope);
  }

  private void results(Node node, Scope scope) {
    out.number(node.outputs().size());
    for (Object output : node.outputs()) {
      boolean list = output instanceof List<?>;
      List<?> items = list ? (List<?>) output : Collections.singletonList(output);
      out.flag(list);
      out.number(items.size());
      for (Object item : items) {
        out.number(Scope.isNamed(item) ? scope.name(Scope.named(item)) : -1);
        if (item instanceof Opaque o)
          refusals.add("a result of " + node.title() + " (" + o.kind() + ")");
      }
    }
  }
}
