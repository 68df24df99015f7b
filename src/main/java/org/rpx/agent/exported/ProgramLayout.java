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
  private final Refusals refusals = new Refusals();
  private final FlatLayout out = new FlatLayout();
  private final Flattener flattener = new Flattener(out, refusals);
  private final Scope main;

  private ProgramLayout(Archive.Contents contents) {
    this.contents = contents;
    this.program = contents.program();
    this.main = new Scope(program.graph(), flattener::fresh);
  }

  /** What cannot be run is in it by name: native code adds what LibTorch has not. */
  static FlatProgram of(Archive.Contents contents, Weights weights) {
    return new ProgramLayout(contents).layout(weights);
  }

  private FlatProgram layout(Weights weights) {
    int values = out.number(0);
    weights(weights);
    changed();
    List<Object> inputs = inputs();
    numbers(inputs);
    List<Object> outputs = new ArrayList<>();
    for (Binding output : program.outputs())
      if (output.kind().equals("user_output") || output.kind().equals("loss_output"))
        outputs.add(output.value());
    flattener.block(main, inputs, writeBack(), outputs);
    out.set(values, flattener.values());
    refused();
    List<String> paths = OutputPaths.of(program.outputTree(), outputs.size());
    return new FlatProgram(out.numbers(), out.words(), paths);
  }

  /** What the caller gives, in the graph's order: tensors and numbers that sizes depend on. */
  private List<Object> inputs() {
    List<Object> inputs = new ArrayList<>();
    for (Binding input : program.inputs()) {
      if (Scope.isNamed(input.value())) main.name(Scope.named(input.value()));
      if (input.fromUser() && Scope.isNamed(input.value())) inputs.add(input.value());
      else if (input.value() instanceof Opaque opaque)
        refusals.add("an input (" + opaque.kind() + ")");
      else if (!input.fromUser() && !Weights.isWeight(input))
        refusals.add("an input (" + input.kind() + ")");
    }
    return inputs;
  }

  private void numbers(List<Object> inputs) {
    int count = out.number(0);
    int found = 0;
    for (int i = 0; i < inputs.size(); i++) {
      if (!(inputs.get(i) instanceof SymbolReference)) continue;
      out.number(i);
      found++;
    }
    out.set(count, found);
  }

  private void refused() {
    out.number(refusals.named().size());
    refusals.named().forEach(out::word);
    out.number(refusals.more());
  }

  private void weights(Weights weights) {
    Map<Weight, Payload> payloads = new LinkedHashMap<>();
    List<String> missing = new ArrayList<>();
    for (Weight weight : weights.all()) {
      Payload payload = contents.weights().get(weight.name());
      if (payload == null) missing.add(weight.name());
      else if (payload.object()) refusals.add("its weight " + weight.name() + " (a Python object)");
      else payloads.put(weight, payload);
    }
    if (!missing.isEmpty())
      refusals.add(
          "its weight "
              + missing.get(0)
              + (missing.size() == 1 ? "" : " and " + (missing.size() - 1) + " more")
              + " (missing, or inside a compressed member: store the members without compression)");
    Map<String, Integer> sources = sources(payloads.values());
    Map<String, List<String>> graphNames = new HashMap<>();
    for (Binding input : program.inputs())
      if (Weights.isWeight(input) && input.value() instanceof Reference r)
        graphNames.computeIfAbsent(input.target(), t -> new ArrayList<>()).add(r.name());
    out.number(payloads.size());
    payloads.forEach((weight, p) -> weight(weight, sources.get(p.path()), graphNames));
    graphNames.values().forEach(names -> names.forEach(main::name)); // those refused too
  }

  /** Where bytes lie, each place once; by path, their numbers. */
  private Map<String, Integer> sources(Iterable<Payload> payloads) {
    Map<String, Payload.Region> regions = new LinkedHashMap<>();
    for (Payload payload : payloads) regions.put(payload.path(), payload.region());
    Map<String, Integer> sources = new HashMap<>();
    out.number(regions.size());
    regions.forEach(
        (path, region) -> {
          sources.put(path, sources.size());
          source(path, region);
        });
    return sources;
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
