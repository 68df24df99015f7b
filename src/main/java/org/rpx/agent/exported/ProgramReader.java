package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.rpx.agent.exported.Program.Binding;
import org.rpx.agent.exported.Program.Range;

/** Reads the JSON members of an archive. */
final class ProgramReader {
  private final JsonIn json;
  private final GraphReader graphs;

  ProgramReader(JsonIn json) {
    this.json = json;
    this.graphs = new GraphReader(json);
  }

  /**
   * Who wrote the file.
   *
   * @param torch null where the file does not tell
   */
  record Version(long major, long minor, String torch) {}

  private Long major;
  private long minor;
  private String torch;
  private Graph graph;
  private List<Binding> inputs;
  private List<Binding> outputs;
  private String inputTree;
  private String outputTree;
  private List<String> argumentNames = List.of();
  private final List<String> guards = new ArrayList<>();

  /** Looks for the version alone: the rest may be of a kind that is not known here. */
  Version versionOnly() {
    json.object(this::versionKey);
    return version();
  }

  private void versionKey(String key) {
    if (key.equals("torch_version")) torch = json.stringOrNull();
    else if (key.equals("schema_version")) {
      json.object(
          part -> {
            if (part.equals("major")) major = json.integer();
            else if (part.equals("minor")) minor = json.integer();
            else json.skip();
          });
    } else json.skip();
  }

  /** What was read of it by now. */
  Version version() {
    return new Version(json.need(major, "schema_version"), minor, torch);
  }

  Program program() {
    Map<String, Range> ranges = new LinkedHashMap<>();
    json.object(
        key -> {
          switch (key) {
            case "graph_module" -> module();
            case "range_constraints" -> json.object(symbol -> ranges.put(symbol, range()));
            case "guards_code" -> json.array(() -> guards.add(json.string()));
            default -> versionKey(key);
          }
        });
    json.need(graph, "graph_module");
    return new Program(
        graph, inputs, outputs, inputTree, outputTree, argumentNames, ranges, guards);
  }

  private void module() {
    json.object(
        key -> {
          switch (key) {
            case "graph" -> graph = graphs.graph();
            case "signature" -> signature();
            case "module_call_graph" -> json.array(() -> json.object(callEntry()));
            default -> json.skip();
          }
        });
    json.need(graph, "graph");
    json.need(inputs, "signature");
  }

  private void signature() {
    json.object(
        key -> {
          if (key.equals("input_specs")) inputs = bindings();
          else if (key.equals("output_specs")) outputs = bindings();
          else json.skip();
        });
    json.need(inputs, "input_specs");
    json.need(outputs, "output_specs");
  }

  private List<Binding> bindings() {
    List<Binding> bindings = new ArrayList<>();
    json.array(() -> json.object(kind -> bindings.add(binding(kind))));
    return bindings;
  }

  /** {@code "parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}}. */
  private Binding binding(String kind) {
    Object[] value = {null};
    String[] target = {null};
    json.object(
        key -> {
          if (key.equals("arg")) value[0] = boundTo(kind);
          else if (key.equals("value")) value[0] = graphs.argument();
          else if (key.equals("name") || key.endsWith("_name")) target[0] = json.stringOrNull();
          else json.skip();
        });
    return new Binding(kind, value[0], target[0]);
  }

  private Object boundTo(String kind) {
    boolean any = kind.equals("user_input") || kind.equals("user_output");
    return any ? graphs.argument() : new Reference(graphs.name());
  }

  /** Of the modules' call signatures only the root's tells how forward's inputs are nested. */
  private Consumer<String> callEntry() {
    Map<String, String> module = new HashMap<>();
    return key -> {
      if (key.equals("fqn")) module.put(key, json.string());
      else if (key.equals("signature") && !json.isNull() && "".equals(module.get("fqn")))
        json.object(this::rootSignature);
      else json.skip();
    };
  }

  private void rootSignature(String key) {
    if (key.equals("in_spec")) inputTree = json.stringOrNull();
    else if (key.equals("out_spec")) outputTree = json.stringOrNull();
    else if (key.equals("forward_arg_names") && !json.isNull()) {
      List<String> names = new ArrayList<>();
      json.array(() -> names.add(json.string()));
      argumentNames = names;
    } else json.skip();
  }

  private Range range() {
    Long[] limits = {null, null};
    json.object(
        key -> {
          if (json.isNull()) return;
          if (key.equals("min_val")) limits[0] = json.integer();
          else if (key.equals("max_val")) limits[1] = json.integer();
          else json.skip();
        });
    return new Range(limits[0], limits[1]);
  }

  /** A {@code …_config.json}: where each weight's bytes lie. */
  Map<String, Payload> payloads() {
    TensorReader tensors = new TensorReader(json);
    Map<String, Payload> payloads = new LinkedHashMap<>();
    json.object(
        key -> {
          if (!key.equals("config")) {
            json.skip();
            return;
          }
          json.object(
              name -> {
                String[] path = {null};
                boolean[] parameter = {false};
                boolean[] object = {false};
                TensorMeta[] meta = {null};
                json.object(
                    field -> {
                      switch (field) {
                        case "path_name" -> path[0] = json.string();
                        case "is_param" -> parameter[0] = json.bool();
                        case "use_pickle" -> object[0] = json.bool();
                        case "tensor_meta" -> meta[0] = json.isNull() ? null : tensors.tensor();
                        default -> json.skip();
                      }
                    });
                // A custom object has no tensor.
                if (meta[0] == null) return;
                payloads.put(
                    name,
                    new Payload(
                        json.need(path[0], "path_name"), parameter[0], meta[0], object[0], null));
              });
        });
    return payloads;
  }
}
