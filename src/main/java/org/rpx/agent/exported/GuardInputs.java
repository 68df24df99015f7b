package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.exported.GuardParser.Source;
import org.rpx.agent.exported.InputTree.Branch;
import org.rpx.agent.exported.InputTree.Leaf;
import org.rpx.agent.exported.InputTree.NamedPart;
import org.rpx.agent.exported.InputTree.Part;
import org.rpx.agent.trace.InputSpec;

/** The inputs by the names that guards have for them: {@code L['batch']['rgb']}. */
final class GuardInputs {
  /** What exports that went through Dynamo call their inputs, in a row. */
  private static final String FLAT = "flat_args";

  private final Graph graph;
  private final InputLeaves leaves;
  private final Map<List<String>, Input> byPath = new HashMap<>();
  private final Map<String, Input> byPlace = new HashMap<>();

  /**
   * What a guard reads of an input.
   *
   * @param name of the input in the graph
   * @param title of the input, as the caller names it
   * @param dimension null for the value of a number
   */
  record Place(String name, String title, Integer dimension) {
    long value(Map<String, InputSpec.Tensor> given) {
      InputSpec.Tensor tensor = given.get(name);
      return dimension == null ? InputNumber.value(tensor) : tensor.shape().get(dimension);
    }

    String shown(Map<String, InputSpec.Tensor> given) {
      String place = dimension == null ? "" : "dimension " + dimension + " of ";
      return place + "input " + title + " is " + value(given);
    }
  }

  private record Input(String name, String title) {}

  GuardInputs(Program program) {
    graph = program.graph();
    leaves = new InputLeaves(program);
    for (NamedPart argument : InputTree.of(program))
      if (argument.name() != null) add(argument.part(), List.of(argument.name()), argument.name());
  }

  private void add(Part part, List<String> path, String title) {
    if (!leaves.taken(part)) return;
    if (part instanceof Leaf leaf) {
      Input input = new Input(leaves.name(leaf), title);
      byPath.put(path, input);
      byPlace.put(String.valueOf(leaf.index()), input);
      return;
    }
    Branch branch = (Branch) part;
    boolean dict = branch.kind().equals("dict");
    int place = 0;
    for (int i = 0; i < branch.items().size(); i++) {
      Part item = branch.items().get(i);
      List<String> longer = new ArrayList<>(path);
      longer.add(dict ? branch.keys().get(i) : String.valueOf(i));
      // The caller counts only those that may be given.
      String key = dict ? branch.keys().get(i) : String.valueOf(place);
      if (leaves.taken(item)) place++;
      add(item, longer, title + "." + key);
    }
  }

  /** Throws ArithmeticException where the inputs have no such thing. */
  Place find(Source source) {
    Input input = find(source.keys());
    Integer dimension = source.dimension();
    boolean known =
        input != null
            && (dimension == null
                ? graph.numbers().get(input.name()) instanceof Size
                : graph.tensors().containsKey(input.name())
                    && dimension < graph.tensors().get(input.name()).sizes().size());
    if (!known)
      throw new ArithmeticException(
          "the inputs have no "
              + (dimension == null ? "number " : "")
              + String.join(".", source.keys())
              + (dimension == null ? "" : " with dimension " + dimension));
    return new Place(input.name(), input.title(), dimension);
  }

  private Input find(List<String> keys) {
    if (keys.isEmpty()) return null;
    if (byPath.containsKey(keys)) return byPath.get(keys);
    if (keys.size() < 2) return null;
    if (keys.get(0).equals(FLAT)) return keys.size() == 2 ? byPlace.get(keys.get(1)) : null;
    // Of forward(*args) guards have args[0], where the file's list of arguments has args_0.
    List<String> joined = new ArrayList<>(keys.subList(1, keys.size()));
    joined.set(0, keys.get(0) + "_" + keys.get(1));
    return byPath.get(joined);
  }
}
