package org.rpx.agent.exported;

import java.util.List;
import java.util.Set;

/**
 * One call in a graph.
 *
 * @param op with its namespace: "aten::conv2d", "higher_order::cond", "_operator::add"
 * @param overload "" for the default one
 * @param module dotted path of the module that it comes from; null where the file does not tell
 * @param outputs {@link Reference}s, lists of them, {@link SymbolReference}s, {@link Opaque}s, or
 *     null
 */
record Node(String op, String overload, String module, List<Input> inputs, List<Object> outputs) {
  /** No schema has more arguments. Operators on graphs have, but not by name. */
  private static final int MOST_NAMED = 64;

  private static final Set<String> SHAPE_READERS =
      Set.of(
          "aten::sym_size",
          "aten::sym_stride",
          "aten::sym_numel",
          "aten::sym_storage_offset",
          "aten::sym_is_contiguous");

  /**
   * An argument.
   *
   * @param name "" where the op has no schema
   * @param value {@link Reference}, {@link SymbolReference}, {@link Subgraph}, {@link Code}, Long,
   *     Double, Boolean, String, {@link Opaque}, a list of these, or null
   */
  record Input(String name, Object value) {}

  /** An argument's value; null where it is not given. */
  Object argument(String name) {
    int end = Math.min(inputs.size(), MOST_NAMED);
    for (int i = 0; i < end; i++)
      if (inputs.get(i).name().equals(name)) return inputs.get(i).value();
    return null;
  }

  /** Whether it writes into its first argument. */
  boolean inPlace() {
    String plain = op.substring(op.lastIndexOf(':') + 1);
    if (plain.startsWith("__i") && plain.endsWith("__")) return true;
    return plain.endsWith("_") && !plain.endsWith("__");
  }

  /** Whether it only reckons with sizes: nothing that a device does. */
  boolean sizesOnly() {
    return numbersOnly() || SHAPE_READERS.contains(op);
  }

  /** Whether it is one of Python's own functions, on numbers. */
  boolean numbersOnly() {
    return op.startsWith("_operator::")
        || op.startsWith("math::")
        || op.startsWith("builtins::")
        || op.startsWith("torch::sym_")
        || op.startsWith("torch::_sym_");
  }

  /** Whether it takes graphs, or is an operator on operators. */
  boolean higherOrder() {
    return op.startsWith("higher_order::");
  }

  /** As a message names it. */
  String title() {
    return overload.isEmpty() ? op : op + "." + overload;
  }
}
