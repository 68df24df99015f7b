package org.rpx.agent.exported;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;

/** What a graph's names stand for: numbers of values; values made inside it end with it. */
final class Scope {
  private final Graph graph;
  private final IntSupplier fresh;
  private final Map<String, Integer> ids = new HashMap<>();
  private final Set<Integer> kept = new HashSet<>();

  /**
   * A scope without names.
   *
   * @param fresh gives the next number that is free
   */
  Scope(Graph graph, IntSupplier fresh) {
    this.graph = graph;
    this.fresh = fresh;
  }

  Graph graph() {
    return graph;
  }

  /** Of a graph that runs in this one's place. */
  Scope inner(Graph graph) {
    return new Scope(graph, fresh);
  }

  int name(String name) {
    return ids.computeIfAbsent(name, n -> fresh.getAsInt());
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

  Set<Integer> kept() {
    return kept;
  }

  /** Null where nothing has that name yet. */
  Integer find(String name) {
    return ids.get(name);
  }

  int known(Node node, String name) {
    Integer id = ids.get(name);
    if (id == null)
      throw new GraphException(
          node.title() + " reads " + name + ", which nothing before it makes; export it again");
    return id;
  }

  static boolean isNamed(Object value) {
    return value instanceof Reference || value instanceof SymbolReference;
  }

  static String named(Object value) {
    if (value instanceof Reference r) return r.name();
    if (value instanceof SymbolReference s) return s.name();
    throw new GraphException("a graph inside it takes a value that has no name; export it again");
  }
}
