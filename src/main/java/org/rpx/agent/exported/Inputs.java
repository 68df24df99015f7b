package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.rpx.agent.exported.InputTree.Branch;
import org.rpx.agent.exported.InputTree.Leaf;
import org.rpx.agent.exported.InputTree.NamedPart;
import org.rpx.agent.exported.InputTree.Part;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.InputSpec;

/**
 * What forward takes and what the caller gives: tensors, and numbers that sizes depend on. Inputs
 * of other kinds (fixed numbers, texts, None) are part of the program: the caller does not give
 * them.
 */
final class Inputs {
  private final InputLeaves leaves;
  private final InputSamples samples;
  private final List<NamedPart> arguments;
  private final Map<String, Integer> positions = new HashMap<>();
  private final Set<String> fixed = new HashSet<>();

  Inputs(Program program) {
    leaves = new InputLeaves(program);
    samples = new InputSamples(leaves);
    Map<Boolean, List<NamedPart>> all =
        InputTree.of(program).stream()
            .collect(Collectors.partitioningBy(a -> leaves.taken(a.part())));
    arguments = all.get(true);
    all.get(false).forEach(a -> fixed.add(a.name()));
    for (int i = 0; i < arguments.size(); i++) positions.putIfAbsent(arguments.get(i).name(), i);
  }

  List<NamedPart> arguments() {
    return arguments;
  }

  /** The example inputs that the program was exported with. */
  List<InputSpec> samples() {
    return arguments.stream().map(a -> samples.of(a.name(), a.part())).toList();
  }

  /**
   * What is given for each argument, in their order. All that take tensors have to be there;
   * numbers are the example's where they are not.
   */
  List<InputSpec> place(List<InputSpec> given) {
    InputSpec[] placed = new InputSpec[arguments.size()];
    for (InputSpec spec : given) {
      int free = 0;
      while (free < placed.length && (placed[free] != null || passes(free, spec))) free++;
      int at = spec.name() == null ? free : position(spec.name());
      if (at >= placed.length)
        throw new InputException(takes() + ", and more are given; give one for each");
      if (placed[at] != null)
        throw new InputException("input " + spec.name() + " is given twice; give it once");
      placed[at] = spec;
    }
    for (int i = 0; i < placed.length; i++) {
      NamedPart argument = arguments.get(i);
      if (placed[i] != null) placed[i] = samples.complete(argument.part(), placed[i]);
      else if (!leaves.required(argument.part()))
        placed[i] = samples.of(argument.name(), argument.part());
      else throw new InputException(takes() + ", and " + title(i) + " is not given; give it");
    }
    return List.of(placed);
  }

  /** Whether an input without a name goes to a later argument: this one takes a number. */
  private boolean passes(int argument, InputSpec spec) {
    boolean scalar = spec instanceof InputSpec.Tensor t && t.shape().isEmpty();
    return spec.name() == null
        && !scalar
        && arguments.get(argument).part() instanceof Leaf leaf
        && leaves.number(leaf);
  }

  /** What each input of the graph gets, by its name there. */
  Map<String, InputSpec.Tensor> fit(List<InputSpec> given) {
    List<InputSpec> placed = place(given);
    Map<String, InputSpec.Tensor> tensors = new LinkedHashMap<>();
    for (int i = 0; i < placed.size(); i++)
      fit(title(i), arguments.get(i).part(), placed.get(i), tensors);
    return tensors;
  }

  /** What the caller gives, in the graph's order. */
  List<InputSpec> leaves(List<InputSpec> given) {
    Map<String, InputSpec.Tensor> byName = fit(given);
    return leaves.taken().stream().map(v -> (InputSpec) byName.get(Scope.named(v))).toList();
  }

  /** Which of {@link #leaves} are numbers. */
  List<Boolean> numbers() {
    return leaves.taken().stream().map(SymbolReference.class::isInstance).toList();
  }

  /** Where in what the caller gives each of {@link #leaves} lies: "x", "state.0", "in1.rgb". */
  List<String> paths() {
    SortedMap<Integer, String> paths = new TreeMap<>();
    for (int i = 0; i < arguments.size(); i++) {
      String name = arguments.get(i).name();
      paths(name == null ? "in" + i : name, arguments.get(i).part(), paths);
    }
    return List.copyOf(paths.values());
  }

  private void paths(String path, Part part, SortedMap<Integer, String> into) {
    if (part instanceof Leaf leaf) {
      into.put(leaf.index(), path);
      return;
    }
    Branch branch = (Branch) part;
    int place = 0;
    for (int i = 0; i < branch.items().size(); i++) {
      if (!leaves.taken(branch.items().get(i))) continue;
      String key = branch.kind().equals("dict") ? branch.keys().get(i) : String.valueOf(place++);
      paths(path + "." + key, branch.items().get(i), into);
    }
  }

  /** Names of the arguments; "input 0" where the file does not tell. */
  List<String> titles() {
    return IntStream.range(0, arguments.size()).mapToObj(this::title).toList();
  }

  private int position(String name) {
    Integer at = positions.get(name);
    if (at == null) at = Argument.place(name, arguments.size());
    if (at < 0 && fixed.contains(name))
      throw new InputException(
          "input "
              + name
              + " is part of the program, as it was exported; "
              + takes()
              + "; export the model with the other value, or with a number that is dynamic");
    if (at < 0) throw new InputException("forward has no input \"" + name + "\"; " + takes());
    return at;
  }

  private String takes() {
    List<String> titles = new ArrayList<>();
    for (int i = 0; i < Math.min(20, arguments.size()); i++) titles.add(title(i));
    return "forward takes " + (titles.isEmpty() ? "no inputs" : String.join(", ", titles));
  }

  private String title(int argument) {
    String name = arguments.get(argument).name();
    return name == null ? "input " + argument : name;
  }

  private void fit(String path, Part part, InputSpec spec, Map<String, InputSpec.Tensor> into) {
    if (part instanceof Leaf leaf) {
      if (leaves.number(leaf)) InputNumber.check(path, leaves.numberOf(leaf), spec);
      if (!(spec instanceof InputSpec.Tensor tensor))
        throw wrong(path, "one tensor", "1x3x224x224");
      if (!leaves.number(leaf)) check(path, leaves.tensor(leaf), tensor);
      into.put(leaves.name(leaf), tensor);
      return;
    }
    Branch branch = (Branch) part;
    if (branch.kind().equals("dict")) {
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < branch.items().size(); i++)
        if (leaves.taken(branch.items().get(i))) keys.add(branch.keys().get(i));
      if (!(spec instanceof InputSpec.Dict dict)
          || !dict.items().keySet().equals(new HashSet<>(keys)))
        throw wrong(path, "a dict of " + String.join(", ", keys), "{key=A,key=B}");
      for (int i = 0; i < branch.items().size(); i++) {
        String key = branch.keys().get(i);
        if (leaves.taken(branch.items().get(i)))
          fit(path + "." + key, branch.items().get(i), dict.items().get(key), into);
      }
      return;
    }
    List<Part> items = leaves.taken(branch);
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
}
