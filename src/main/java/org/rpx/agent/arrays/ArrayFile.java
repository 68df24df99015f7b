package org.rpx.agent.arrays;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.rpx.agent.exported.TensorFile;
import org.rpx.agent.trace.InputSpec;

/**
 * Inputs from a file of NumPy's or torch.save's. An .npy holds one; an .npz holds any number, each
 * by its argument's name, or in0, in1 … by place. Nested ones are dotted, as {@code state.0} and
 * {@code batch.rgb}: keys that count from 0 make a tuple, others a dict. A .pt holds a tensor, a
 * tuple or list of them in the arguments' order, or a dict of them by name. What is in a file is
 * only ever read as data. The class has no state: any threads may read at once.
 */
public final class ArrayFile {
  private static final int DEEPEST = 100;
  private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_]*(\\.[^./\\\\]+)*");

  /** An array, or others by their keys. */
  private static final class Part {
    private final Map<String, Part> items = new LinkedHashMap<>();
    private InputSpec array;
  }

  private ArrayFile() {}

  /**
   * The inputs of a file; of an .npz all are named.
   *
   * @param name of forward's argument, for an .npy, or for a .pt as a whole; null for none
   * @throws IllegalArgumentException that names the file, where it holds no inputs
   */
  public static List<InputSpec> read(String name, Path file) {
    if (TensorFile.is(file)) return saved(name, file);
    if (!Npz.isArchive(file)) return List.of(Npy.read(name, file));
    if (name != null)
      throw wrong(
          file, "is an .npz, whose arrays have names of their own; leave out " + name + "=");
    return named(file, Npz.read(file));
  }

  private static List<InputSpec> saved(String name, Path file) {
    InputSpec value = TensorFile.read(file);
    List<InputSpec> inputs = List.of(value.withName(name));
    // A name is that of the one argument that takes all of it.
    if (name == null && value instanceof InputSpec.Sequence s) inputs = s.items();
    if (name == null && value instanceof InputSpec.Dict d) inputs = named(file, d.items());
    if (inputs.isEmpty()) throw wrong(file, "holds no tensors; save some with torch.save");
    return inputs;
  }

  private static List<InputSpec> named(Path file, Map<String, ? extends InputSpec> arrays) {
    Part root = new Part();
    arrays.forEach((key, array) -> add(file, root, key, array));
    List<InputSpec> inputs = new ArrayList<>();
    root.items.forEach((key, part) -> inputs.add(spec(part).withName(key)));
    return inputs;
  }

  private static void add(Path file, Part root, String key, InputSpec array) {
    String shown = "\"" + PlainText.of(key) + "\"";
    String[] steps = key.split("\\.", -1);
    if (steps.length > DEEPEST)
      throw wrong(file, shown + " is nested too deep; 100 levels at most");
    if (key.chars().anyMatch(Character::isISOControl) || !NAME.matcher(key).matches())
      throw wrong(file, shown + " is no input's name; name arrays x, in0, state.0 or batch.rgb");
    Part part = root;
    for (String step : steps) {
      if (part.array != null) throw both(file, shown);
      part = part.items.computeIfAbsent(step, k -> new Part());
    }
    if (!part.items.isEmpty()) throw both(file, shown);
    part.array = array;
  }

  private static InputSpec spec(Part part) {
    if (part.array != null) return part.array;
    int n = part.items.size();
    if (IntStream.range(0, n).allMatch(i -> part.items.containsKey(String.valueOf(i)))) {
      return new InputSpec.Sequence(
          null,
          "tuple",
          IntStream.range(0, n).mapToObj(i -> spec(part.items.get(String.valueOf(i)))).toList());
    }
    Map<String, InputSpec> items = new LinkedHashMap<>();
    part.items.forEach((key, item) -> items.put(key, spec(item)));
    return new InputSpec.Dict(null, items);
  }

  private static IllegalArgumentException both(Path file, String key) {
    return wrong(
        file, key + " is one input, and others lie inside of it; keep the one or the others");
  }

  private static IllegalArgumentException wrong(Path file, String what) {
    return new IllegalArgumentException(file + ": " + what);
  }
}
