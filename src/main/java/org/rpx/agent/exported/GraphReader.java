package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rpx.agent.exported.Node.Input;

/** Reads graphs. Names, which repeat, are kept once, so that a graph takes little memory. */
final class GraphReader {
  /** Real programs nest two or three deep; each level costs stack. */
  private static final int DEEPEST = 60;

  private static final Pattern TARGET = Pattern.compile("[\\w.:#<>-]{1,300}");

  private static final Pattern MODULE = Pattern.compile("[^,]*,([\\w.@-]{0,20000}),");

  /** The costs of 100,000 modules, ten deep, are half of that. */
  private static final long MOST_OF_MODULES = 256 << 20;

  private final JsonIn json;
  private final TensorReader tensors;
  private final Map<String, String> once = new HashMap<>();
  private final Map<String, String> modules = new HashMap<>();
  private long ofModules;
  private int depth;

  GraphReader(JsonIn json) {
    this.json = json;
    this.tensors = new TensorReader(json);
  }

  Graph graph() {
    if (++depth > DEEPEST) throw json.wrong("nests graphs deeper than " + DEEPEST);
    Builder graph = new Builder();
    json.object(
        key -> {
          switch (key) {
            case "inputs" -> graph.inputs = list(this::argument);
            case "outputs" -> graph.outputs = list(this::argument);
            case "nodes" -> graph.nodes = list(this::node);
            case "tensor_values" -> {
              graph.tensors = new HashMap<>();
              json.object(name -> graph.tensors.put(same(name), tensors.tensor()));
            }
            case "sym_int_values", "sym_bool_values", "sym_float_values" ->
                json.object(name -> graph.numbers.put(same(name), tensors.number()));
            default -> json.skip();
          }
        });
    depth--;
    return new Graph(
        json.need(graph.inputs, "inputs"),
        json.need(graph.outputs, "outputs"),
        json.need(graph.nodes, "nodes"),
        json.need(graph.tensors, "tensor_values"),
        graph.numbers);
  }

  private static final class Builder {
    List<Object> inputs;
    List<Object> outputs;
    List<Node> nodes;
    Map<String, TensorMeta> tensors;
    final Map<String, Object> numbers = new HashMap<>();
  }

  /** A value: {@code {"as_tensor": {"name": "x"}}}, {@code {"as_ints": [1, 2]}} … */
  Object argument() {
    Object[] value = {null};
    json.object(kind -> value[0] = argument(kind));
    return value[0];
  }

  private Object argument(String kind) {
    return switch (kind) {
      case "as_tensor" -> new Reference(name());
      case "as_tensors" -> list(() -> new Reference(name()));
      case "as_optional_tensor" -> argument();
      case "as_optional_tensors", "as_nested_tensors" -> list(this::argument);
      case "as_int" -> json.integer();
      case "as_ints" -> list(json::integer);
      case "as_int_lists" -> list(() -> list(json::integer));
      case "as_float" -> json.number();
      case "as_floats" -> list(json::number);
      case "as_string" -> json.string();
      case "as_strings" -> list(json::string);
      case "as_bool" -> json.bool();
      case "as_bools" -> list(json::bool);
      case "as_sym_int", "as_sym_float", "as_sym_bool", "as_name" -> symbolic(kind);
      case "as_sym_ints", "as_sym_floats", "as_sym_bools" -> list(this::argument);
      case "as_graph" -> subgraph();
      case "as_operator" -> json.string();
      case "as_scalar_type" -> Code.of(Code.Kind.DTYPE, json.integer());
      case "as_memory_format" -> Code.of(Code.Kind.MEMORY_FORMAT, json.integer());
      case "as_layout" -> Code.of(Code.Kind.LAYOUT, json.integer());
      case "as_device" -> Code.device(tensors.device());
      default -> {
        json.skip();
        yield kind.equals("as_none") ? null : new Opaque(same(kind));
      }
    };
  }

  private Object symbolic(String kind) {
    return kind.equals("as_name") ? new SymbolReference(same(json.string())) : argument();
  }

  private Subgraph subgraph() {
    String[] name = {""};
    Graph[] graph = {null};
    json.object(
        key -> {
          if (key.equals("name")) name[0] = json.string();
          else if (key.equals("graph")) graph[0] = graph();
          else json.skip();
        });
    return new Subgraph(name[0], json.need(graph[0], "graph"));
  }

  /** The name in {@code {"name": "x"}}. */
  String name() {
    String[] name = {null};
    json.object(
        key -> {
          if (key.equals("name")) name[0] = same(json.string());
          else json.skip();
        });
    return json.need(name[0], "name");
  }

  private Node node() {
    NodeBuilder node = new NodeBuilder();
    json.object(
        key -> {
          switch (key) {
            case "target" -> node.target = json.string();
            case "inputs" -> node.inputs = list(this::input);
            case "outputs" -> node.outputs = list(this::argument);
            case "metadata" -> node.module = module();
            default -> json.skip();
          }
        });
    if (!TARGET.matcher(json.need(node.target, "target")).matches())
      throw json.wrong("has a target that names no op");
    String[] op = op(node.target);
    return new Node(
        same(op[0]),
        same(op[1]),
        node.module,
        json.need(node.inputs, "inputs"),
        json.need(node.outputs, "outputs"));
  }

  private static final class NodeBuilder {
    String target;
    String module;
    List<Input> inputs;
    List<Object> outputs;
  }

  /** The module of a node, from what torch.export noted of its making; null where it did not. */
  private String module() {
    if (json.isNull()) return null;
    String[] stack = {null};
    json.object(
        key -> {
          if (key.equals("nn_module_stack") && !json.isNull()) stack[0] = json.string();
          else json.skip();
        });
    if (stack[0] == null) return null;
    // "key,path,type" for each module from the outermost, joined by ';'. A type may hold commas.
    Matcher innermost = MODULE.matcher(stack[0].substring(stack[0].lastIndexOf(';') + 1));
    return innermost.lookingAt() ? module(innermost.group(1)) : null;
  }

  /** Costs are kept for each module on the way to this one. */
  private String module(String path) {
    String known = modules.putIfAbsent(path, path);
    if (known != null) return known;
    long levels = 1 + path.chars().filter(c -> c == '.').count();
    ofModules += levels * (path.length() + 64L);
    if (ofModules > MOST_OF_MODULES) throw json.wrong("names too many modules");
    return path;
  }

  private Input input() {
    String[] name = {""};
    Object[] value = {null};
    json.object(
        key -> {
          if (key.equals("name") && !json.isNull()) name[0] = same(json.string());
          else if (key.equals("arg")) value[0] = argument();
          else json.skip();
        });
    return new Input(name[0], value[0]);
  }

  /** "torch.ops.aten.conv2d.default" → aten::conv2d and "". */
  static String[] op(String target) {
    String overload = "";
    String name = target;
    if (target.startsWith("torch.ops.")) {
      name = target.substring("torch.ops.".length());
      int last = name.lastIndexOf('.');
      if (last > name.indexOf('.')) {
        overload = name.substring(last + 1);
        name = name.substring(0, last);
        if (overload.equals("default")) overload = "";
      }
    } else if (target.startsWith("#")) {
      name = target.substring(1).replace(':', '.');
    }
    int dot = name.indexOf('.');
    return new String[] {
      dot < 0 ? name : name.substring(0, dot) + "::" + name.substring(dot + 1), overload
    };
  }

  private <T> List<T> list(Supplier<T> item) {
    List<T> items = new ArrayList<>();
    json.array(() -> items.add(item.get()));
    return items;
  }

  private String same(String text) {
    return once.computeIfAbsent(text, t -> t);
  }
}
