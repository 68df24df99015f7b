package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.exported.InputTree.Branch;
import org.rpx.agent.exported.InputTree.Leaf;
import org.rpx.agent.exported.InputTree.Part;
import org.rpx.agent.trace.InputSpec;

/** The inputs that a program was exported with: shapes, and the values of numbers. */
final class InputSamples {
  private final InputLeaves leaves;

  InputSamples(InputLeaves leaves) {
    this.leaves = leaves;
  }

  /** Of an argument or an item of one. */
  InputSpec of(String name, Part part) {
    if (part instanceof Leaf leaf) {
      if (leaves.number(leaf))
        return InputNumber.sample(name, leaves.name(leaf), leaves.numberOf(leaf));
      return tensor(name, leaf);
    }
    Branch branch = (Branch) part;
    if (branch.kind().equals("dict")) {
      Map<String, InputSpec> items = new LinkedHashMap<>();
      for (int i = 0; i < branch.items().size(); i++) {
        Part item = branch.items().get(i);
        if (leaves.taken(item)) items.put(branch.keys().get(i), of(null, item));
      }
      return new InputSpec.Dict(name, items);
    }
    return new InputSpec.Sequence(
        name, branch.kind(), leaves.taken(branch).stream().map(i -> of(null, i)).toList());
  }

  private InputSpec.Tensor tensor(String name, Leaf leaf) {
    TensorMeta meta = leaves.tensor(leaf);
    List<Long> shape = new ArrayList<>();
    for (Size size : meta.sizes()) {
      if (size.value() == null)
        throw new GraphException(
            "the example's shape of input "
                + leaves.name(leaf)
                + " is not in the file; give the inputs' shapes");
      shape.add(size.value());
    }
    return new InputSpec.Tensor(name, shape, meta.dtype().torchName());
  }

  /** What is given, with the example's numbers where they are left out of nested inputs. */
  InputSpec complete(Part part, InputSpec given) {
    if (!(part instanceof Branch branch)) return given;
    List<Part> items = leaves.taken(branch);
    if (given instanceof InputSpec.Dict dict && branch.kind().equals("dict")) {
      Map<String, InputSpec> whole = new LinkedHashMap<>(dict.items());
      for (int i = 0; i < branch.items().size(); i++) {
        Part item = branch.items().get(i);
        String key = branch.keys().get(i);
        if (!leaves.taken(item)) continue;
        if (dict.items().containsKey(key)) whole.put(key, complete(item, dict.items().get(key)));
        else if (!leaves.required(item)) whole.put(key, of(null, item));
      }
      return new InputSpec.Dict(dict.name(), whole);
    }
    if (!(given instanceof InputSpec.Sequence sequence)) return given;
    boolean all = sequence.items().size() == items.size();
    long required = items.stream().filter(leaves::required).count();
    if (!all && sequence.items().size() != required) return given;
    List<InputSpec> whole = new ArrayList<>();
    int next = 0;
    for (Part item : items)
      whole.add(
          all || leaves.required(item)
              ? complete(item, sequence.items().get(next++))
              : of(null, item));
    return new InputSpec.Sequence(sequence.name(), sequence.kind(), whole);
  }
}
