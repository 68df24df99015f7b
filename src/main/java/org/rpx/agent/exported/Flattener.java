package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lays graphs out: values get numbers, and each is freed behind the last node that uses it. */
final class Flattener {
  private static final int OP = 0;
  private static final int NUMBER = 1;
  private static final int BRANCH = 2;
  private static final int LOOP = 3;
  private static final int AUTOCAST = 4;

  private final FlatLayout out;
  private final Set<String> ops;
  private int values;

  Flattener(FlatLayout out, Set<String> ops) {
    this.out = out;
    this.ops = ops;
  }

  /** Values that were given numbers. */
  int values() {
    return values;
  }

  int fresh() {
    return values++;
  }

  /** What a graph's names stand for: numbers of values; values made inside it end with it. */
  final class Scope {
    private final Graph graph;
    private final Map<String, Integer> ids = new HashMap<>();
    private final Set<Integer> kept = new HashSet<>();

    Scope(Graph graph) {
      this.graph = graph;
    }

    int name(String name) {
      return ids.computeIfAbsent(name, n -> fresh());
    }

    /** A value that stays to the end. */
    int keep(String name) {
      kept.add(name(name));
      return name(name);
    }

    /** Another name of a value. */
    void alias(String name, int id) {
      ids.put(name, id);
    }

    private int known(Node node, String name) {
      Integer id = ids.get(name);
      if (id == null)
        throw new GraphException(
            node.title() + " reads " + name + ", which nothing before it makes; export it again");
      return id;
    }
  }

  /**
   * One step: a node in the scope where it stands. Nodes of graphs that only set a mode are among
   * their parent's.
   */
  private record Step(Node node, Scope scope) {}

  /**
   * A block: inputs, nodes, outputs.
   *
   * @param extra nodes to run behind the graph's own
   */
  void block(Scope scope, List<Object> inputs, List<Node> extra, List<Object> outputs) {
    out.number(inputs.size());
    for (Object input : inputs) out.number(scope.name(named(input)));
    List<Step> steps = new ArrayList<>();
    steps(scope, steps);
    for (Node node : extra) steps.add(new Step(node, scope));
    for (Object output : outputs)
      if (output instanceof Reference || output instanceof SymbolReference)
        scope.kept.add(scope.ids.computeIfAbsent(named(output), n -> fresh()));
    List<List<Integer>> dead = lastUses(steps, scope.kept);
    out.number(steps.size());
    for (int i = 0; i < steps.size(); i++) {
      node(steps.get(i));
      out.number(dead.get(i).size());
      dead.get(i).forEach(out::number);
    }
    out.number(outputs.size());
    for (Object output : outputs) operand(null, output, scope);
  }

  private static String named(Object value) {
    if (value instanceof Reference r) return r.name();
    if (value instanceof SymbolReference s) return s.name();
    throw new GraphException("a graph inside it takes a value that has no name; export it again");
  }

  private void steps(Scope scope, List<Step> into) {
    List<Node> nodes = scope.graph.nodes();
    BitSet live = Liveness.of(scope.graph);
    for (int i = live.nextSetBit(0); i >= 0; i = live.nextSetBit(i + 1)) {
      Node node = nodes.get(i);
      if (node.op().equals("higher_order::wrap_with_set_grad_enabled") && Tracer.body(node) != null)
        inline(node, scope, into);
      else {
        for (Object output : node.outputs()) names(output, scope);
        into.add(new Step(node, scope));
      }
    }
  }

  private static void names(Object output, Scope scope) {
    if (output instanceof List<?> list) list.forEach(o -> names(o, scope));
    else if (output != null) scope.name(named(output));
  }

  /** Gradients are off in any case: its nodes are as good as the parent's own. */
  private void inline(Node node, Scope scope, List<Step> into) {
    Subgraph body = Tracer.body(node);
    Scope inner = new Scope(body.graph());
    List<Object> operands = behind(node);
    List<Object> inputs = body.graph().inputs();
    if (operands.size() != inputs.size() || body.graph().outputs().size() != flat(node).size())
      throw new GraphException(
          node.title() + " and its graph take different numbers of values; export it again");
    for (int i = 0; i < inputs.size(); i++)
      inner.ids.put(named(inputs.get(i)), scope.known(node, named(operands.get(i))));
    steps(inner, into);
    for (int i = 0; i < flat(node).size(); i++) {
      Object made = body.graph().outputs().get(i);
      Object output = flat(node).get(i);
      if (made != null && output != null) scope.ids.put(named(output), inner.name(named(made)));
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

  private List<List<Integer>> lastUses(List<Step> steps, Set<Integer> kept) {
    List<List<Integer>> dead = new ArrayList<>();
    Set<Integer> seen = new HashSet<>(kept);
    for (int i = steps.size() - 1; i >= 0; i--) {
      List<Integer> here = new ArrayList<>();
      Step step = steps.get(i);
      Set<Integer> used = new HashSet<>();
      for (Node.Input input : step.node().inputs()) use(input.value(), step.scope(), used);
      for (Object output : step.node().outputs()) use(output, step.scope(), used);
      for (int id : used) if (seen.add(id)) here.add(id);
      dead.add(0, here);
    }
    return dead;
  }

  private static void use(Object value, Scope scope, Set<Integer> used) {
    if (value instanceof List<?> list) list.forEach(v -> use(v, scope, used));
    else if (value instanceof Reference || value instanceof SymbolReference) {
      Integer id = scope.ids.get(named(value));
      if (id != null) used.add(id);
    }
  }

  private void node(Step step) {
    Node node = step.node();
    Scope scope = step.scope();
    switch (node.op()) {
      case "higher_order::cond" -> {
        graphs(node, 2);
        out.number(BRANCH);
        operand(node, node.inputs().get(0).value(), scope);
        subgraph(node, 0);
        subgraph(node, 1);
        operands(node, behind(node), scope);
        results(node, scope);
      }
      case "higher_order::while_loop" -> {
        graphs(node, 2);
        out.number(LOOP);
        subgraph(node, 0);
        subgraph(node, 1);
        loopOperands(node, scope);
        results(node, scope);
      }
      case "higher_order::wrap_with_autocast" -> {
        graphs(node, 1);
        out.number(AUTOCAST);
        Object device = node.inputs().get(0).value();
        out.word(device instanceof String s ? s : "cpu");
        operand(node, node.inputs().get(1).value(), scope);
        operand(node, node.inputs().get(2).value(), scope);
        subgraph(node, 0);
        operands(node, behind(node), scope);
        results(node, scope);
      }
      default -> op(node, scope);
    }
  }

  private static void graphs(Node node, int wanted) {
    long found = node.inputs().stream().filter(i -> i.value() instanceof Subgraph).count();
    if (found != wanted || node.inputs().size() < wanted + 1)
      throw new GraphException(node.title() + " has not the graphs that it needs; export it again");
  }

  private void subgraph(Node node, int which) {
    int seen = 0;
    for (Node.Input input : node.inputs()) {
      if (!(input.value() instanceof Subgraph body) || seen++ != which) continue;
      block(new Scope(body.graph()), body.graph().inputs(), List.of(), body.graph().outputs());
    }
  }

  /** Carried values are a list of their own, then those that stay the same. */
  private void loopOperands(Node node, Scope scope) {
    List<List<?>> lists = new ArrayList<>();
    int graphs = 0;
    for (Node.Input input : node.inputs()) {
      if (input.value() instanceof Subgraph) graphs++;
      else if (graphs == 2)
        lists.add(input.value() instanceof List<?> l ? l : List.of(input.value()));
    }
    operands(node, lists.isEmpty() ? List.of() : lists.get(0), scope);
    operands(node, lists.size() < 2 ? List.of() : lists.get(1), scope);
  }

  private void op(Node node, Scope scope) {
    boolean number = node.numbersOnly();
    out.number(number ? NUMBER : OP);
    out.word(node.op());
    if (!number) {
      ops.add(node.title());
      out.word(node.overload());
    }
    out.number(node.inputs().size());
    for (Node.Input input : node.inputs()) {
      if (!number) out.word(input.name());
      operand(node, input.value(), scope);
    }
    results(node, scope);
  }

  private void operands(Node node, List<?> values, Scope scope) {
    out.number(values.size());
    for (Object value : values) operand(node, value, scope);
  }

  /** Kinds: 0 none, 1 value, 2 integer, 3 real, 4 truth, 5 text, 6 list, 7 dtype, 8 device. */
  private void operand(Node node, Object value, Scope scope) {
    if (value == null) out.number(0);
    else if (value instanceof Reference || value instanceof SymbolReference) {
      out.number(1);
      String name = named(value);
      out.number(node == null ? scope.name(name) : scope.known(node, name));
    } else if (value instanceof Long n) pair(2, n);
    else if (value instanceof Double d) pair(3, Double.doubleToRawLongBits(d));
    else if (value instanceof Boolean b) pair(4, b ? 1 : 0);
    else if (value instanceof String text) {
      out.number(5);
      out.word(text);
    } else if (value instanceof List<?> list) {
      out.number(6);
      out.number(list.size());
      for (Object item : list) operand(node, item, scope);
    } else if (value instanceof Code code) code(node, code);
    else
      throw new GraphException(
          (node == null ? "it" : node.title())
              + " takes a value of a kind that cannot be run here");
  }

  private void pair(long kind, long number) {
    out.number(kind);
    out.number(number);
  }

  private void code(Node node, Code code) {
    switch (code.kind()) {
      case DTYPE -> {
        Dtype type = Dtype.of(code.code());
        if (type == null)
          throw new GraphException(node.title() + " takes a type of number " + code.code());
        out.number(7);
        out.word(type.torchName());
      }
      case DEVICE -> out.number(8);
      // torch.export's numbers to those of c10::Layout and c10::MemoryFormat.
      case LAYOUT -> pair(2, choice(node, code, 0, 1, 2, 4, 5, 6, 3, 0));
      case MEMORY_FORMAT -> pair(2, choice(node, code, 0, 0, 2, 3, 1));
    }
  }

  private static long choice(Node node, Code code, long... byCode) {
    if (code.code() < 1 || code.code() >= byCode.length)
      throw new GraphException(
          node.title() + " takes a " + code.kind() + " of number " + code.code());
    return byCode[(int) code.code()];
  }

  private void results(Node node, Scope scope) {
    out.number(node.outputs().size());
    for (Object output : node.outputs()) {
      boolean list = output instanceof List<?>;
      List<?> items = list ? (List<?>) output : java.util.Collections.singletonList(output);
      out.flag(list);
      out.number(items.size());
      for (Object item : items) out.number(item == null ? -1 : scope.name(named(item)));
    }
  }
}
