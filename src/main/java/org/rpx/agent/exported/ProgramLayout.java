package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rpx.agent.exported.Program.Binding;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** Lays a whole program out: its weights, what it changes in place, its graph. */
final class ProgramLayout {
  private final Archive.Contents contents;
  private final Program program;
  private final FlatLayout out = new FlatLayout();
  private final Set<String> ops = new LinkedHashSet<>();
  private final Flattener flattener = new Flattener(out, ops);
  private final Flattener.Scope main;

  private ProgramLayout(Archive.Contents contents) {
    this.contents = contents;
    this.program = contents.program();
    this.main = flattener.new Scope(program.graph());
  }

  static FlatProgram of(Archive.Contents contents, Weights weights) {
    return new ProgramLayout(contents).layout(weights);
  }

  private FlatProgram layout(Weights weights) {
    int values = 0;
    out.number(0); // the number of values, known at the end
    weights(weights);
    changed();
    List<Object> outputs = new ArrayList<>();
    for (Binding output : program.outputs())
      if (output.kind().equals("user_output") || output.kind().equals("loss_output"))
        outputs.add(output.value());
    flattener.block(main, new ArrayList<>(inputs()), writeBack(), outputs);
    out.set(values, flattener.values());
    List<String> paths = OutputPaths.of(program.outputTree(), outputs.size());
    return new FlatProgram(out.numbers(), out.words(), paths, ops);
  }

  /** The tensors that the caller gives, in the graph's order. */
  private List<Reference> inputs() {
    List<Reference> inputs = new ArrayList<>();
    for (Binding input : program.inputs()) {
      if (input.fromUser() && input.value() instanceof Reference r) inputs.add(r);
      else if (input.fromUser() && input.value() instanceof SymbolReference s)
        throw new GraphException(
            "its input "
                + s.name()
                + " is a number that sizes depend on, which cannot be run here yet; export the"
                + " model with that number fixed");
      else if (!input.fromUser() && !Weights.isWeight(input))
        throw new GraphException(
            "it takes a " + input.kind() + ", which cannot be run here; export it without");
    }
    return inputs;
  }

  private void weights(Weights weights) {
    Map<String, Integer> sources = new LinkedHashMap<>();
    Map<String, Payload.Region> regions = new HashMap<>();
    for (Weight weight : weights.all()) {
      Payload payload = payload(weight);
      sources.putIfAbsent(payload.path(), sources.size());
      if (payload.region() != null) regions.put(payload.path(), payload.region());
    }
    out.number(sources.size());
    for (String path : sources.keySet()) source(path, regions.get(path));
    Map<String, List<String>> graphNames = new HashMap<>();
    for (Binding input : program.inputs())
      if (Weights.isWeight(input) && input.value() instanceof Reference r)
        graphNames.computeIfAbsent(input.target(), t -> new ArrayList<>()).add(r.name());
    out.number(weights.all().size());
    for (Weight weight : weights.all()) {
      weight(weight, sources.get(contents.weights().get(weight.name()).path()), graphNames);
    }
  }

  private Payload payload(Weight weight) {
    Payload payload = contents.weights().get(weight.name());
    if (payload == null)
      throw new GraphException(
          "the bytes of its weight "
              + weight.name()
              + " are missing, or inside a member that is compressed; export it again, or store its"
              + " members without compression");
    if (payload.object())
      throw new GraphException(
          "its weight "
              + weight.name()
              + " is a Python object, which cannot be run here; export the model with plain"
              + " tensors");
    return payload;
  }

  private void source(String path, Payload.Region region) {
    out.word(path.substring(contents.root().length()));
    out.number(region != null ? 2 : contents.stored().contains(path) ? 1 : 0);
    if (region == null) return;
    out.number(region.offset());
    out.number(region.size());
  }

  private void weight(Weight weight, int source, Map<String, List<String>> graphNames) {
    List<String> inGraph = graphNames.getOrDefault(weight.name(), List.of());
    int id = inGraph.isEmpty() ? flattener.fresh() : main.keep(inGraph.get(0));
    for (String alias : inGraph) main.alias(alias, id);
    TensorInfo tensor = weight.tensor();
    out.number(id);
    out.word(weight.kind());
    out.word(weight.name());
    out.flag(weight.requiresGrad());
    out.word(tensor.dtype());
    out.number(source);
    out.number(tensor.offset());
    out.number(tensor.rank());
    tensor.sizes().forEach(out::number);
    tensor.strides().forEach(out::number);
  }

  /** Weights and inputs that an op writes to, or that get a new value at the end. */
  private void changed() {
    Set<Integer> changed = new LinkedHashSet<>();
    for (String name : Changed.inputs(program.graph())) changed.add(main.name(name));
    for (Node copy : writeBack())
      changed.add(main.name(((Reference) copy.inputs().get(0).value()).name()));
    out.number(changed.size());
    changed.forEach(out::number);
  }

  /** New values of buffers and inputs, copied where a program without in-place ops ends. */
  private List<Node> writeBack() {
    Map<String, String> byTarget = new HashMap<>();
    for (Binding input : program.inputs())
      if (input.value() instanceof Reference r && input.target() != null)
        byTarget.put(input.target(), r.name());
    List<Node> copies = new ArrayList<>();
    for (Binding output : program.outputs()) {
      if (!output.kind().endsWith("_mutation") || !(output.value() instanceof Reference r))
        continue;
      boolean user = output.kind().equals("user_input_mutation");
      String into = user ? output.target() : byTarget.get(output.target());
      if (into == null)
        throw new GraphException(
            "it changes " + output.target() + ", which it does not take; export it again");
      if (into.equals(r.name())) continue;
      List<Node.Input> arguments =
          List.of(
              new Node.Input("self", new Reference(into)),
              new Node.Input("src", new Reference(r.name())));
      copies.add(new Node("aten::copy_", "", "", arguments, List.of()));
    }
    return copies;
  }
}
