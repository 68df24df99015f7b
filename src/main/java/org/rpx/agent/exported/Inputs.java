package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.rpx.agent.exported.InputTree.Branch;
import org.rpx.agent.exported.InputTree.Leaf;
import org.rpx.agent.exported.InputTree.NamedPart;
import org.rpx.agent.exported.InputTree.Part;
import org.rpx.agent.exported.Program.Binding;
import org.rpx.agent.trace.InputSpec;

/**
 * What forward takes and what the caller gives. Inputs that are no tensors (numbers, texts, None)
 * are part of the program: the caller does not give them.
 */
final class Inputs {
  private final Program program;
  private final List<Binding> leaves;
  private final List<NamedPart> arguments;
  private final Map<String, Integer> positions = new HashMap<>();

  Inputs(Program program) {
    this.program = program;
    leaves = program.inputs().stream().filter(Binding::fromUser).toList();
    arguments = InputTree.of(program).stream().filter(a -> takesTensors(a.part())).toList();
    for (int i = 0; i < arguments.size(); i++) positions.putIfAbsent(arguments.get(i).name(), i);
  }

  List<NamedPart> arguments() {
    return arguments;
  }

  /** The example inputs that the program was exported with. */
  List<InputSpec> samples() {
    List<InputSpec> specs = new ArrayList<>();
    for (NamedPart argument : arguments) specs.add(sample(argument.name(), argument.part()));
    return specs;
  }

  private InputSpec sample(String name, Part part) {
    if (part instanceof Leaf leaf) {
      TensorMeta meta = tensor(leaf);
      List<Long> shape = new ArrayList<>();
      for (Size size : meta.sizes()) {
        if (size.value() == null)
          throw new GraphException(
              "the example's shape of input "
                  + name(leaf)
                  + " is not in the file; give the inputs' shapes");
        shape.add(size.value());
      }
      return new InputSpec.Tensor(name, shape, meta.dtype().torchName());
    }
    Branch branch = (Branch) part;
    if (branch.kind().equals("dict")) {
      Map<String, InputSpec> items = new LinkedHashMap<>();
      for (int i = 0; i < branch.items().size(); i++) {
        Part item = branch.items().get(i);
        if (takesTensors(item)) items.put(branch.keys().get(i), sample(null, item));
      }
      return new InputSpec.Dict(name, items);
    }
    return new InputSpec.Sequence(
        name, branch.kind(), tensorItems(branch).stream().map(i -> sample(null, i)).toList());
  }

  /** What is given for each argument, in their order; all that take tensors have to be there. */
  List<InputSpec> place(List<InputSpec> given) {
    InputSpec[] placed = new InputSpec[arguments.size()];
    int free = 0;
    for (InputSpec spec : given) {
      while (free < placed.length && placed[free] != null) free++;
      int at = spec.name() == null ? free : position(spec.name());
      if (at >= placed.length)
        throw new InputException(takes() + ", and more are given; give one for each");
      if (placed[at] != null)
        throw new InputException("input " + spec.name() + " is given twice; give it once");
      placed[at] = spec;
    }
    for (int i = 0; i < placed.length; i++)
      if (placed[i] == null)
        throw new InputException(takes() + ", and " + title(i) + " is not given; give it");
    return List.of(placed);
  }

  /** The shape that each input tensor of the graph gets, by the tensor's name. */
  Map<String, InputSpec.Tensor> fit(List<InputSpec> given) {
    List<InputSpec> placed = place(given);
    Map<String, InputSpec.Tensor> tensors = new LinkedHashMap<>();
    for (int i = 0; i < placed.size(); i++)
      fit(title(i), arguments.get(i).part(), placed.get(i), tensors);
    return tensors;
  }

  /** The tensors in the graph's order. */
  List<InputSpec> leaves(List<InputSpec> given) {
    Map<String, InputSpec.Tensor> byName = fit(given);
    List<InputSpec> tensors = new ArrayList<>();
    for (Binding leaf : leaves)
      if (leaf.value() instanceof Reference r) tensors.add(byName.get(r.name()));
    return tensors;
  }

  /** Names of the arguments that take tensors; "input 0" where the file does not tell. */
  List<String> titles() {
    return IntStream.range(0, arguments.size()).mapToObj(this::title).toList();
  }

  private int position(String name) {
    Integer at = positions.get(name);
    if (at == null) throw new InputException("forward has no input \"" + name + "\"; " + takes());
    return at;
  }

  private String takes() {
    List<String> titles = new ArrayList<>();
    for (int i = 0; i < Math.min(20, arguments.size()); i++) titles.add(title(i));
    return "forward takes " + (titles.isEmpty() ? "no tensors" : String.join(", ", titles));
  }

  private String title(int argument) {
    String name = arguments.get(argument).name();
    return name == null ? "input " + argument : name;
  }

  private void fit(String path, Part part, InputSpec spec, Map<String, InputSpec.Tensor> into) {
    if (part instanceof Leaf leaf) {
      if (!(spec instanceof InputSpec.Tensor tensor))
        throw wrong(path, "one tensor", "1x3x224x224");
      check(path, tensor(leaf), tensor);
      into.put(name(leaf), tensor);
      return;
    }
    Branch branch = (Branch) part;
    if (branch.kind().equals("dict")) {
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < branch.items().size(); i++)
        if (takesTensors(branch.items().get(i))) keys.add(branch.keys().get(i));
      if (!(spec instanceof InputSpec.Dict dict)
          || !dict.items().keySet().equals(new HashSet<>(keys)))
        throw wrong(path, "a dict of " + String.join(", ", keys), "{key=A,key=B}");
      for (int i = 0; i < branch.items().size(); i++) {
        String key = branch.keys().get(i);
        if (takesTensors(branch.items().get(i)))
          fit(path + "." + key, branch.items().get(i), dict.items().get(key), into);
      }
      return;
    }
    List<Part> items = tensorItems(branch);
    if (!(spec instanceof InputSpec.Sequence sequence) || sequence.items().size() != items.size())
      throw wrong(path, "a " + branch.kind() + " of " + items.size(), "(A,B)");
    for (int i = 0; i < items.size(); i++)
      fit(path + "." + i, items.get(i), sequence.items().get(i), into);
  }

  private static InputException wrong(String path, String wanted, String written) {
    return new InputException("input " + path + " is " + wanted + "; write it as " + written);
  }

  private static void check(String path, TensorMeta meta, InputSpec.Tensor given) {
    if (!given.dtype().equals(meta.dtype().torchName()))
      throw new InputException(
          "input "
              + path
              + " is "
              + given.dtype()
              + ", the program was exported for "
              + meta.dtype().torchName()
              + "; give that dtype, or export the model for the other");
    if (given.shape().size() != meta.sizes().size())
      throw new InputException(
          "input "
              + path
              + " has "
              + given.shape().size()
              + " dimensions, the program was exported for "
              + meta.sizes().size()
              + "; give as many");
    for (long size : given.shape())
      if (size < 0) throw new InputException("input " + path + " has a size below 0; give a shape");
  }

  private boolean takesTensors(Part part) {
    if (part instanceof Leaf leaf) return leaves.get(leaf.index()).value() instanceof Reference;
    return ((Branch) part).items().stream().anyMatch(this::takesTensors);
  }

  private List<Part> tensorItems(Branch branch) {
    return branch.items().stream().filter(this::takesTensors).toList();
  }

  private String name(Leaf leaf) {
    return ((Reference) leaves.get(leaf.index()).value()).name();
  }

  private TensorMeta tensor(Leaf leaf) {
    TensorMeta meta = program.graph().tensors().get(name(leaf));
    if (meta == null)
      throw new GraphException(
          "its graph does not tell what input " + name(leaf) + " is; export it again");
    return meta;
  }
}
