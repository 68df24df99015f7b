package org.rpx.agent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.InputSpec;

/** Fits what a user gave to what forward takes. */
final class Arguments {
  private Arguments() {}

  /** "forward(image: Tensor, steps: int = …)" */
  static String signature(List<Argument> arguments) {
    return arguments.stream()
        .map(a -> a.name() + ": " + a.type() + (a.required() ? "" : " = …"))
        .collect(Collectors.joining(", ", "forward(", ")"));
  }

  /**
   * Named specs by name, others in order; the batch set. Throws IllegalArgumentException where they
   * do not fit.
   */
  static List<InputSpec> fit(List<InputSpec> specs, List<Argument> arguments, Integer batch) {
    List<InputSpec> placed = new ArrayList<>(Collections.nCopies(arguments.size(), null));
    for (InputSpec spec : specs) {
      if (spec.name() == null) continue;
      int at = position(spec.name(), arguments);
      if (placed.get(at) != null) {
        throw new IllegalArgumentException("input " + spec.name() + " is given twice");
      }
      placed.set(at, nestedAs(arguments.get(at).type(), spec));
    }
    for (InputSpec spec : specs) {
      if (spec.name() != null) continue;
      int at = placed.indexOf(null);
      if (at < 0) throw wrong(arguments, specs.size() + " given");
      placed.set(at, spec);
    }
    int given = arguments.size();
    while (given > 0 && placed.get(given - 1) == null) given--;
    for (int i = 0; i < arguments.size(); i++) {
      // An argument with a default may be left out only behind all that are given.
      boolean missing = placed.get(i) == null && (i < given || arguments.get(i).required());
      if (missing) {
        throw wrong(arguments, specs.size() + " given, " + arguments.get(i).name() + " is missing");
      }
    }
    return placed.subList(0, given).stream()
        .map(spec -> batch == null ? spec : spec.withBatch(batch))
        .toList();
  }

  /** Arrays of an .npz do not tell a tuple from a list, or from a dict with the keys "0", "1" … */
  private static InputSpec nestedAs(String type, InputSpec spec) {
    if (!(spec instanceof InputSpec.Sequence s)) return spec;
    if (type.startsWith("List[")) return new InputSpec.Sequence(s.name(), "list", s.items());
    if (!type.startsWith("Dict[")) return spec;
    Map<String, InputSpec> items = new LinkedHashMap<>();
    s.items().forEach(item -> items.put(String.valueOf(items.size()), item));
    return new InputSpec.Dict(s.name(), items);
  }

  private static IllegalArgumentException wrong(List<Argument> arguments, String what) {
    long required = arguments.stream().filter(Argument::required).count();
    return new IllegalArgumentException(
        "the model wants " + wants(required, arguments.size()) + ", " + what);
  }

  private static int position(String name, List<Argument> arguments) {
    for (int i = 0; i < arguments.size(); i++) if (arguments.get(i).name().equals(name)) return i;
    int place = Argument.place(name, arguments.size());
    if (place >= 0) return place;
    throw new IllegalArgumentException("forward has no input called \"" + name + "\"");
  }

  private static String wants(long required, int all) {
    String most = all + (all == 1 ? " input" : " inputs");
    return required == all ? most : required + " to " + most;
  }

  /** The tensors of the inputs, flattened, by path. */
  static List<Input> describe(List<InputSpec> specs, List<Argument> arguments, String castTo) {
    List<Input> inputs = new ArrayList<>();
    for (int i = 0; i < specs.size(); i++)
      describe(specs.get(i), arguments.get(i).name(), castTo, inputs);
    return inputs;
  }

  private static void describe(InputSpec spec, String path, String castTo, List<Input> into) {
    if (spec instanceof InputSpec.Tensor t) {
      boolean cast = castTo != null && t.dtype().contains("float");
      String values = t.values().describe(t.dtype());
      into.add(new Input(path, t.shape(), cast ? castTo : t.dtype(), values));
    } else if (spec instanceof InputSpec.Sequence s) {
      for (int i = 0; i < s.items().size(); i++)
        describe(s.items().get(i), path + "." + i, castTo, into);
    } else if (spec instanceof InputSpec.Dict d) {
      d.items().forEach((key, item) -> describe(item, path + "." + key, castTo, into));
    }
  }
}
