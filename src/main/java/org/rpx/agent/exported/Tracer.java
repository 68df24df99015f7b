package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.exported.Program.Binding;
import org.rpx.agent.exported.Views.Held;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;

/** Walks a program's graph in order, as an executor would, and writes down each op. */
final class Tracer {
  private final Program program;
  private final Symbols symbols;
  private final List<OpCall> calls = new ArrayList<>();
  private final Map<String, Held> top = new HashMap<>();
  private long nextStorage;

  private Tracer(Program program, Weights weights, Symbols symbols) {
    this.program = program;
    this.symbols = symbols;
    nextStorage = weights.storages();
    weights
        .inGraph()
        .forEach((name, info) -> top.put(name, new Held(info, device(program.graph(), name))));
  }

  static OpTrace trace(Program program, Weights weights, Inputs inputs, List<InputSpec> given) {
    Symbols symbols = InputSizes.bind(program, inputs.fit(given));
    Tracer tracer = new Tracer(program, weights, symbols);
    List<Object> taken = tracer.inputs(inputs);
    tracer.walk(program.graph(), tracer.top);
    tracer.writeBack();
    return new OpTrace(tracer.calls, taken, tracer.outputs());
  }

  private List<Object> inputs(Inputs inputs) {
    List<Binding> leaves = program.inputs().stream().filter(Binding::fromUser).toList();
    for (Binding leaf : leaves) {
      if (leaf.value() instanceof Reference r && program.graph().tensors().containsKey(r.name()))
        top.put(r.name(), fresh(program.graph(), r.name()));
    }
    return InputTree.values(
        inputs.arguments(),
        i ->
            leaves.get(i).value() instanceof Reference r && top.containsKey(r.name())
                ? top.get(r.name()).info()
                : null);
  }

  private Held fresh(Graph graph, String name) {
    Tensors tensor = tensor(graph, name);
    return new Held(tensor.in(nextStorage++), tensor.meta().device());
  }

  private Tensors tensor(Graph graph, String name) {
    TensorMeta meta = graph.tensors().get(name);
    if (meta == null)
      throw new GraphException("its graph does not tell what " + name + " is; export it again");
    return Tensors.of(name, meta, symbols);
  }

  private static String device(Graph graph, String name) {
    TensorMeta meta = graph.tensors().get(name);
    return meta == null ? "" : meta.device();
  }

  private void walk(Graph graph, Map<String, Held> values) {
    BitSet live = Liveness.of(graph);
    List<Node> nodes = graph.nodes();
    for (int i = live.nextSetBit(0); i >= 0; i = live.nextSetBit(i + 1)) {
      Node node = nodes.get(i);
      if (node.sizesOnly()) continue;
      if (inlined(node)) inline(node, graph, values);
      else call(node, graph, values);
    }
  }

  /** Whether a node only sets a mode around a graph: its ops are then the program's own. */
  static boolean inlined(Node node) {
    boolean mode =
        node.op().equals("higher_order::wrap_with_set_grad_enabled")
            || node.op().equals("higher_order::wrap_with_autocast");
    return mode && body(node) != null;
  }

  /** The graph among a node's arguments. */
  static Subgraph body(Node node) {
    for (Node.Input input : node.inputs()) if (input.value() instanceof Subgraph s) return s;
    return null;
  }

  private void inline(Node node, Graph graph, Map<String, Held> values) {
    Subgraph body = body(node);
    List<Object> operands = new ArrayList<>();
    boolean after = false;
    for (Node.Input input : node.inputs()) {
      if (after) operands.add(input.value());
      after |= input.value() == body;
    }
    Map<String, Held> inner = new HashMap<>();
    connect(node, operands, values, body.graph().inputs(), inner);
    walk(body.graph(), inner);
    connect(node, body.graph().outputs(), inner, node.outputs(), values);
  }

  private static void connect(
      Node node,
      List<Object> from,
      Map<String, Held> known,
      List<Object> to,
      Map<String, Held> in) {
    if (from.size() != to.size())
      throw new GraphException(
          node.title() + " and its graph take different numbers of values; export it again");
    for (int i = 0; i < from.size(); i++) {
      if (from.get(i) instanceof Reference source && to.get(i) instanceof Reference name)
        in.put(name.name(), held(node, source, known));
    }
  }

  private void call(Node node, Graph graph, Map<String, Held> values) {
    List<Object> arguments = new ArrayList<>();
    for (Node.Input input : node.inputs()) arguments.add(value(node, input.value(), graph, values));
    List<Held> first = new ArrayList<>();
    if (!node.inputs().isEmpty()) collect(node, node.inputs().get(0).value(), values, first);
    if (node.argument("out") instanceof Reference out) {
      first.clear();
      first.add(held(node, out, values));
    }
    int[] index = {0};
    List<Object> results = new ArrayList<>();
    for (Object output : node.outputs())
      results.add(result(node, output, index, first, graph, values));
    List<Object> placed = Signatures.place(node, arguments);
    calls.add(new OpCall(node.op(), node.overload(), node.module(), placed, results));
  }

  private Object result(
      Node node,
      Object output,
      int[] index,
      List<Held> first,
      Graph graph,
      Map<String, Held> values) {
    if (output instanceof List<?> list) {
      List<Object> items = new ArrayList<>();
      for (Object item : list) items.add(result(node, item, index, first, graph, values));
      return items;
    }
    if (!(output instanceof Reference r)) return number(output, graph);
    Tensors tensor = tensor(graph, r.name());
    Held candidate = new Held(tensor.in(0), tensor.meta().device());
    boolean out = node.argument("out") instanceof Reference;
    Held base = out ? first.get(0) : Views.base(node, first, index[0], candidate);
    index[0]++;
    Held made =
        new Held(
            base == null ? tensor.in(nextStorage++) : tensor.in(base.info()),
            tensor.meta().device());
    values.put(r.name(), made);
    return made.info();
  }

  private Object value(Node node, Object value, Graph graph, Map<String, Held> values) {
    if (value instanceof Reference r) return held(node, r, values).info();
    if (value instanceof Subgraph s) return s.name();
    if (value instanceof Code c) return c.device() == null ? (Object) c.code() : c.device();
    if (value instanceof List<?> list) {
      List<Object> items = new ArrayList<>();
      for (Object item : list) items.add(value(node, item, graph, values));
      return items;
    }
    return number(value, graph);
  }

  private Object number(Object value, Graph graph) {
    if (value instanceof Opaque) return null;
    if (!(value instanceof SymbolReference s)) return value;
    Object number = graph.numbers().get(s.name());
    return number instanceof Size size ? symbols.valueOrNull(size) : number;
  }

  private static void collect(Node node, Object value, Map<String, Held> values, List<Held> into) {
    if (value instanceof Reference r && values.containsKey(r.name()))
      into.add(held(node, r, values));
    else if (value instanceof List<?> list)
      for (Object item : list) collect(node, item, values, into);
  }

  private static Held held(Node node, Reference reference, Map<String, Held> values) {
    Held held = values.get(reference.name());
    if (held == null)
      throw new GraphException(
          node.title()
              + " reads "
              + reference.name()
              + ", which nothing before it makes; export it again");
    return held;
  }

  /** In a program without in-place ops, new values of buffers and inputs are copied at the end. */
  private void writeBack() {
    Map<String, String> names = new HashMap<>();
    for (Binding input : program.inputs()) {
      if (input.value() instanceof Reference r) names.put(input.target(), r.name());
    }
    for (Binding output : program.outputs()) {
      if (!output.kind().endsWith("_mutation") || !(output.value() instanceof Reference r))
        continue;
      boolean user = output.kind().equals("user_input_mutation");
      Held into = top.get(user ? output.target() : names.get(output.target()));
      Held from = top.get(r.name());
      if (into == null || from == null)
        throw new GraphException(
            "its graph does not make the new value of " + output.target() + "; export it again");
      if (into.info().storage() == from.info().storage()) continue;
      List<Object> arguments = List.of(into.info(), from.info());
      calls.add(new OpCall("aten::copy_", "", "", arguments, List.of(into.info())));
    }
  }

  private List<Object> outputs() {
    List<Object> outputs = new ArrayList<>();
    for (Binding output : program.outputs()) {
      boolean user = output.kind().equals("user_output") || output.kind().equals("loss_output");
      if (!user || !(output.value() instanceof Reference r)) continue;
      Held held = top.get(r.name());
      if (held == null)
        throw new GraphException(
            "its graph does not make its output " + r.name() + "; export it again");
      outputs.add(held.info());
    }
    return outputs;
  }
}
