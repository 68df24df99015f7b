package org.rpx.agent.exported;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A graph as torch.export writes it, for tests that need a large one or an odd one. */
final class GraphText {
  private final StringBuilder inputs = new StringBuilder();
  private final StringBuilder specs = new StringBuilder();
  private final StringBuilder nodes = new StringBuilder();
  private final StringBuilder tensors = new StringBuilder();

  /** A float32 tensor, dense. A size is a number or an expression. */
  GraphText tensor(String name, Object... sizes) {
    return tensor(7, name, sizes);
  }

  /** One of another of the file's types. */
  GraphText tensor(int dtype, String name, Object... sizes) {
    join(tensors, quoted(name) + ": {\"dtype\": " + dtype + ", \"sizes\": [");
    tensors.append(Arrays.stream(sizes).map(GraphText::size).collect(Collectors.joining(", ")));
    tensors.append("], \"strides\": [], \"requires_grad\": false, \"layout\": 7}");
    return this;
  }

  private static String size(Object size) {
    return size instanceof String text
        ? "{\"as_expr\": {\"expr_str\": " + quoted(text) + ", \"hint\": {\"as_int\": 8}}}"
        : "{\"as_int\": " + size + "}";
  }

  /** Says that the user gives a tensor. */
  GraphText input(String name) {
    join(inputs, one(name));
    join(specs, "{\"user_input\": {\"arg\": " + one(name) + "}}");
    return this;
  }

  /**
   * Calls an op of aten.
   *
   * @param arguments {@code "self": {…}} of each, joined by commas
   */
  GraphText call(String op, String module, String arguments, String... results) {
    join(nodes, "{\"target\": \"torch.ops." + (op.indexOf('.') < 0 ? "aten." : "") + op);
    nodes.append(".default\", \"inputs\": [").append(arguments).append("], \"outputs\": [");
    for (int i = 0; i < results.length; i++)
      nodes.append(i == 0 ? "" : ", ").append(one(results[i]));
    nodes.append("], \"metadata\": {\"nn_module_stack\": \"m,").append(module);
    nodes.append(",torch.nn.Module\", \"stack_trace\": \"").append("x".repeat(300)).append("\"}}");
    return this;
  }

  /** An argument that is a tensor. */
  static String argument(String name, String tensor) {
    return "{\"name\": " + quoted(name) + ", \"arg\": " + one(tensor) + "}";
  }

  /** An argument that is a list of tensors. */
  static String list(String name, Iterable<String> tensors) {
    StringBuilder items = new StringBuilder();
    for (String tensor : tensors) join(items, "{\"name\": " + quoted(tensor) + "}");
    return "{\"name\": " + quoted(name) + ", \"arg\": {\"as_tensors\": [" + items + "]}}";
  }

  /** The archive of the graph that gives out these tensors. */
  TestArchive archive(String... outputs) {
    String results = Arrays.stream(outputs).map(GraphText::one).collect(Collectors.joining(", "));
    String outputSpecs =
        Arrays.stream(outputs)
            .map(o -> "{\"user_output\": {\"arg\": " + one(o) + "}}")
            .collect(Collectors.joining(", "));
    return TestArchive.ofGraph(
        "{\"graph_module\": {\"graph\": {\"inputs\": ["
            + inputs
            + "], \"outputs\": ["
            + results
            + "], \"nodes\": ["
            + nodes
            + "], \"tensor_values\": {"
            + tensors
            + "}}, \"signature\": {\"input_specs\": ["
            + specs
            + "], \"output_specs\": ["
            + outputSpecs
            + "]}}, \"schema_version\": {\"major\": 8, \"minor\": 15}}");
  }

  private static String one(String name) {
    return "{\"as_tensor\": {\"name\": " + quoted(name) + "}}";
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  private static void join(StringBuilder list, String item) {
    list.append(list.isEmpty() ? "" : ", ").append(item);
  }
}
