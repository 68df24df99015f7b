package org.rpx.agent.exported;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.rpx.agent.exported.Program.Binding;

/** How the inputs of forward are nested: each argument is a leaf, or a sequence or dict of them. */
final class InputTree {
  /** Deeper nesting than this costs stack and is no real model's. */
  private static final int DEEPEST = 100;

  /** A tree is read as a whole; that of a thousand inputs has a tenth of this. */
  private static final int LONGEST = 1_000_000;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** An argument or an item of one. */
  sealed interface Part {}

  /** One input of the graph, by its place among those that the caller gives. */
  record Leaf(int index) implements Part {}

  /**
   * Nested inputs.
   *
   * @param kind "tuple", "list" or "dict"
   * @param keys of a dict; else empty
   */
  record Branch(String kind, List<String> keys, List<Part> items) implements Part {}

  /** An argument of forward. {@code name} is null where the file does not tell. */
  record NamedPart(String name, Part part) {}

  private int leaves;

  private InputTree() {}

  /** The arguments; each input of its own where the file does not tell how they are nested. */
  static List<NamedPart> of(Program program) {
    List<Binding> inputs = program.inputs().stream().filter(Binding::fromUser).toList();
    List<NamedPart> arguments = new InputTree().arguments(program, inputs.size());
    if (arguments != null) return arguments;
    List<NamedPart> flat = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) flat.add(new NamedPart(null, new Leaf(i)));
    return named(flat, inputs);
  }

  /** A tree in PyTorch's notation; null where there is none, or none that is known here. */
  static Part read(String tree) {
    return new InputTree().root(tree);
  }

  private Part root(String tree) {
    if (tree == null || tree.length() > LONGEST) return null;
    try {
      return part(MAPPER.readTree(tree).path(1), 0);
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  private List<NamedPart> arguments(Program program, int inputs) {
    // (args, kwargs)
    Part both = root(program.inputTree());
    if (leaves != inputs || !(both instanceof Branch pair) || pair.items().size() != 2) return null;
    if (!(pair.items().get(0) instanceof Branch positional)
        || !(pair.items().get(1) instanceof Branch named)
        || !named.kind().equals("dict")) return null;
    List<NamedPart> arguments = new ArrayList<>();
    for (Part part : positional.items()) {
      int i = arguments.size();
      String name = i < program.argumentNames().size() ? program.argumentNames().get(i) : null;
      arguments.add(new NamedPart(name, part));
    }
    for (int i = 0; i < named.items().size(); i++)
      arguments.add(new NamedPart(named.keys().get(i), named.items().get(i)));
    return named(arguments, program.inputs().stream().filter(Binding::fromUser).toList());
  }

  /** Where forward's names are not told, a tensor or number that is an argument has its own. */
  private static List<NamedPart> named(List<NamedPart> arguments, List<Binding> inputs) {
    List<NamedPart> all = new ArrayList<>();
    for (NamedPart argument : arguments) {
      boolean own = argument.name() == null && argument.part() instanceof Leaf;
      Object value = own ? inputs.get(((Leaf) argument.part()).index()).value() : null;
      all.add(Scope.isNamed(value) ? new NamedPart(Scope.named(value), argument.part()) : argument);
    }
    return all;
  }

  private Part part(JsonNode spec, int depth) {
    JsonNode type = spec.path("type");
    if (type.isNull()) return new Leaf(leaves++);
    if (!type.isTextual() || depth > DEEPEST) return null;
    List<Part> items = new ArrayList<>();
    for (JsonNode child : spec.path("children_spec")) {
      Part item = part(child, depth + 1);
      if (item == null) return null;
      items.add(item);
    }
    String name = type.textValue().toLowerCase(Locale.ROOT);
    if (name.endsWith("dict")) {
      List<String> keys = keys(spec.path("context"));
      boolean fit = keys.size() == items.size() && new HashSet<>(keys).size() == keys.size();
      return fit ? new Branch("dict", keys, items) : null;
    }
    return new Branch(name.endsWith("list") ? "list" : "tuple", List.of(), items);
  }

  /** Keys of a dict, as JSON in a text: a list, or of a defaultdict its maker and that list. */
  private static List<String> keys(JsonNode context) {
    List<String> keys = new ArrayList<>();
    try {
      JsonNode list = MAPPER.readTree(context.asText());
      if (list.path(1).isArray()) list = list.path(1);
      for (JsonNode key : list) keys.add(key.asText());
    } catch (JsonProcessingException e) {
      return List.of();
    }
    return keys;
  }

  /**
   * The tensors of the arguments, nested as the caller has them; what is no tensor is left out.
   *
   * @param tensor an input of the graph; null where it is no tensor
   */
  static List<Object> values(List<NamedPart> arguments, IntFunction<Object> tensor) {
    List<Object> values = new ArrayList<>();
    for (NamedPart argument : arguments) {
      Object value = value(argument.part(), tensor);
      if (value != null) values.add(value);
    }
    return values;
  }

  private static Object value(Part part, IntFunction<Object> tensor) {
    if (part instanceof Leaf leaf) return tensor.apply(leaf.index());
    List<Object> items = new ArrayList<>();
    for (Part item : ((Branch) part).items()) {
      Object value = value(item, tensor);
      if (value != null) items.add(value);
    }
    return items.isEmpty() ? null : items;
  }
}
