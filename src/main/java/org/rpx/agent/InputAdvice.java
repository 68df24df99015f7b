package org.rpx.agent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Values;
import org.rpx.agent.trace.Weight;

/** Finds inputs that a model takes, from its signature and weights, by trying them. */
final class InputAdvice {
  private static final int MOST_TRIES = 24;
  private static final int MOST_PAIRED = 6;
  // "mat1 and mat2 shapes cannot be multiplied (1440x640 and 32x128)": the model wants 32.
  private static final Pattern PRODUCT = Pattern.compile("\\(\\d+x\\d+ and (\\d+)x\\d+\\)");
  private static final Pattern CHANNELS = Pattern.compile("to have (\\d+) channels");

  private final NativeSession session;
  private final List<Argument> required;
  private final List<InputSpec> candidates = new ArrayList<>();

  InputAdvice(NativeSession session, List<Argument> arguments) {
    this.session = session;
    this.required = arguments.stream().filter(Argument::required).toList();
  }

  /**
   * "--input 1x8x64x64" with which a forward ran, or else one of the form that is wanted. The
   * inputs set are lost.
   */
  String after(String complaint) {
    for (Argument argument : required) {
      String name = "--input " + argument.name();
      if (argument.type().startsWith("Dict")) return name + ":{key=1x3x224x224,key=…}";
      if (argument.type().startsWith("List")) return name + ":[1x3x224x224,…]";
      if (argument.type().startsWith("Tuple")) return name + ":(1x16,…)";
    }
    collect(complaint);
    List<InputSpec> first = candidates.subList(0, Math.min(MOST_TRIES, candidates.size()));
    for (InputSpec candidate : first) {
      List<InputSpec> all = Collections.nCopies(required.size(), candidate);
      if (runs(all)) return options(all);
    }
    if (required.size() == 2) {
      for (InputSpec one : first.subList(0, Math.min(MOST_PAIRED, first.size()))) {
        for (InputSpec other : first.subList(0, Math.min(MOST_PAIRED, first.size()))) {
          if (runs(List.of(one, other))) return options(List.of(one, other));
        }
      }
    }
    return options(Collections.nCopies(required.size(), candidates.get(0)));
  }

  private boolean runs(List<InputSpec> inputs) {
    try {
      session.inputs(inputs, 0);
      session.run();
      return true;
    } catch (NativeException e) {
      return false;
    }
  }

  private String options(List<InputSpec> inputs) {
    List<String> options = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      InputSpec.Tensor t = (InputSpec.Tensor) inputs.get(i);
      String shape = t.shape().stream().map(String::valueOf).collect(Collectors.joining("x"));
      String name = inputs.size() == 1 ? "" : required.get(i).name() + ":";
      options.add(
          "--input "
              + name
              + shape
              + (t.dtype().equals("float32") ? "" : ":" + t.dtype())
              + range(t));
    }
    return String.join(" ", options);
  }

  private static String range(InputSpec.Tensor t) {
    return t.values() instanceof Values.Range r ? "=" + r.low() + ".." + r.high() : "";
  }

  private void collect(String complaint) {
    List<Weight> weights =
        session.weights().stream()
            .filter(w -> w.tensor().rank() >= 2 && !w.kind().equals("buffer"))
            .toList();
    List<Long> lengths = new ArrayList<>(List.of(16L));
    for (Weight w : weights) {
      // A learned position for each step: (1, steps, width).
      if (w.tensor().rank() == 3 && w.tensor().size(0) == 1) lengths.add(0, w.tensor().size(1));
    }
    Matcher product = PRODUCT.matcher(complaint);
    if (product.find()) sequences(Long.parseLong(product.group(1)), lengths);
    Matcher channels = CHANNELS.matcher(complaint);
    if (channels.find()) images(Long.parseLong(channels.group(1)));
    if (!weights.isEmpty()) {
      Weight first = weights.get(0);
      TensorInfo t = first.tensor();
      if (t.rank() == 2) {
        if (first.name().contains("weight_ih")) add("float32", 1, 16, t.size(1));
        add("float32", 1, t.size(1));
        add("float32", 1, t.size(0));
        sequences(t.size(1), lengths);
      }
      if (t.rank() == 3) add("float32", 1, t.size(1), 256);
      if (t.rank() == 4) images(t.size(1));
      if (t.rank() == 5) add("float32", 1, t.size(1), 16, 64, 64);
    }
    // Of a table of embeddings any row is an index; zeros would read the first one only.
    weights.stream().filter(w -> w.tensor().rank() == 2).findFirst().ifPresent(this::indices);
    add("int64", 1, 16);
    images(3);
    add("float32", 1, 64);
  }

  private void images(long channels) {
    for (String dtype : List.of("float32", "float16", "bfloat16")) {
      add(dtype, 1, channels, 224, 224);
      add(dtype, 1, channels, 64, 64);
    }
  }

  private void sequences(long width, List<Long> lengths) {
    for (long length : lengths) add("float32", 1, length, width);
    add("float32", 1, width);
  }

  private void indices(Weight table) {
    long rows = table.tensor().size(0);
    if (rows > 0)
      add(new InputSpec.Tensor(null, List.of(1L, 16L), "int64", new Values.Range(0, rows)));
  }

  private void add(String dtype, long... shape) {
    add(InputSpec.tensor(dtype, shape));
  }

  private void add(InputSpec spec) {
    if (!candidates.contains(spec)) candidates.add(spec);
  }
}
