package org.rpx.agent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.Weight;

/** Finds inputs that a model takes, from its signature and first weight, by trying. */
final class InputAdvice {
  private InputAdvice() {}

  /**
   * "--input 1x8x64x64" with which a forward ran, or with what it may be; the session's inputs are
   * lost.
   */
  static String find(NativeSession session, List<Argument> arguments, List<Weight> weights) {
    List<Argument> required = arguments.stream().filter(Argument::required).toList();
    for (Argument argument : required) {
      if (argument.type().startsWith("Dict"))
        return "--input " + argument.name() + ":{key=1x3x224x224,key=…}";
      if (argument.type().startsWith("List"))
        return "--input " + argument.name() + ":[1x3x224x224,…]";
      if (argument.type().startsWith("Tuple")) return "--input " + argument.name() + ":(1x16,…)";
    }
    List<InputSpec> candidates = candidates(weights);
    for (InputSpec candidate : candidates) {
      try {
        session.inputs(Collections.nCopies(required.size(), candidate), 0);
        session.run();
        return options(required, candidate);
      } catch (NativeException e) {
        // Not this one.
      }
    }
    return options(required, candidates.get(0));
  }

  private static String options(List<Argument> required, InputSpec spec) {
    InputSpec.Tensor t = (InputSpec.Tensor) spec;
    String shape = t.shape().stream().map(String::valueOf).collect(Collectors.joining("x"));
    String text = shape + (t.dtype().equals("float32") ? "" : ":" + t.dtype());
    if (required.size() == 1) return "--input " + text;
    return required.stream()
        .map(a -> "--input " + a.name() + ":" + text)
        .collect(Collectors.joining(" "));
  }

  private static List<InputSpec> candidates(List<Weight> weights) {
    List<InputSpec> found = new ArrayList<>();
    weights.stream()
        .filter(w -> w.tensor().rank() >= 2 && !w.kind().equals("buffer"))
        .map(w -> w.tensor())
        .findFirst()
        .ifPresent(
            first -> {
              long channels = first.size(1);
              switch (first.rank()) {
                case 2 -> {
                  found.add(InputSpec.tensor("float32", 1, channels));
                  found.add(InputSpec.tensor("float32", 1, 16, channels));
                  found.add(InputSpec.tensor("int64", 1, 16));
                  found.add(InputSpec.tensor("float16", 1, channels));
                }
                case 3 -> found.add(InputSpec.tensor("float32", 1, channels, 256));
                case 4 -> {
                  for (String dtype : List.of("float32", "float16", "bfloat16")) {
                    found.add(InputSpec.tensor(dtype, 1, channels, 224, 224));
                    found.add(InputSpec.tensor(dtype, 1, channels, 64, 64));
                  }
                }
                case 5 -> found.add(InputSpec.tensor("float32", 1, channels, 16, 64, 64));
                default -> {}
              }
            });
    found.add(InputSpec.tensor("float32", 1, 3, 224, 224));
    found.add(InputSpec.tensor("int64", 1, 16));
    found.add(InputSpec.tensor("float32", 1, 16, 64));
    return found;
  }
}
