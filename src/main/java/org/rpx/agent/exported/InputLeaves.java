package org.rpx.agent.exported;

import java.util.List;
import org.rpx.agent.exported.InputTree.Branch;
import org.rpx.agent.exported.InputTree.Leaf;
import org.rpx.agent.exported.InputTree.Part;
import org.rpx.agent.exported.Program.Binding;

/** What each leaf of forward's arguments is to the graph: a tensor, a number, or a constant. */
final class InputLeaves {
  private final Graph graph;
  private final List<Binding> leaves;

  InputLeaves(Program program) {
    graph = program.graph();
    leaves = program.inputs().stream().filter(Binding::fromUser).toList();
  }

  /** In the graph's order: {@link Reference}s and {@link SymbolReference}s. */
  List<Object> taken() {
    return leaves.stream().map(Binding::value).filter(Scope::isNamed).toList();
  }

  /** Whether the caller may give something of it; all else is part of the program. */
  boolean taken(Part part) {
    if (part instanceof Leaf leaf) return Scope.isNamed(value(leaf));
    return ((Branch) part).items().stream().anyMatch(this::taken);
  }

  List<Part> taken(Branch branch) {
    return branch.items().stream().filter(this::taken).toList();
  }

  /** Whether the caller has to give it: it has tensors, and not only numbers of the example. */
  boolean required(Part part) {
    if (part instanceof Leaf leaf) return value(leaf) instanceof Reference;
    return ((Branch) part).items().stream().anyMatch(this::required);
  }

  boolean number(Leaf leaf) {
    return value(leaf) instanceof SymbolReference;
  }

  /** The graph's name. */
  String name(Leaf leaf) {
    return Scope.named(value(leaf));
  }

  TensorMeta tensor(Leaf leaf) {
    return known(graph.tensors().get(name(leaf)), leaf);
  }

  /** As {@link Graph#numbers} has it. */
  Object numberOf(Leaf leaf) {
    return known(graph.numbers().get(name(leaf)), leaf);
  }

  private <T> T known(T what, Leaf leaf) {
    if (what == null)
      throw new GraphException(
          "its graph does not tell what input " + name(leaf) + " is; export it again");
    return what;
  }

  private Object value(Leaf leaf) {
    return leaves.get(leaf.index()).value();
  }
}
