package org.rpx.agent.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads an {@link InputSpec} from one command-line word. */
final class InputSpecParser {
  // Possessive, so that a long one takes no stack.
  private static final Pattern SHAPE = Pattern.compile("scalar|\\d++([x,]\\d++)*+");
  private static final int MOST_SIZES = 64;
  private static final int DEEPEST = 100;
  private static final int MOST_SHOWN = 200;
  private static final List<String> DTYPES =
      List.of(
          "float32",
          "float64",
          "float16",
          "bfloat16",
          "int64",
          "int32",
          "int16",
          "int8",
          "uint8",
          "bool");
  private static final Map<String, String> ALIASES =
      Map.of(
          "fp32",
          "float32",
          "float",
          "float32",
          "fp64",
          "float64",
          "double",
          "float64",
          "fp16",
          "float16",
          "half",
          "float16",
          "bf16",
          "bfloat16",
          "long",
          "int64",
          "int",
          "int32");

  private final String text;
  private final int depth;

  /** {@code depth} is the number of brackets around it. */
  InputSpecParser(String text, int depth) {
    this.text = text.strip();
    this.depth = depth;
  }

  InputSpec parse() {
    int open = text.isEmpty() ? -1 : firstBracket();
    if (open < 0) return tensor();
    if (depth == DEEPEST) throw wrong("more than " + DEEPEST + " brackets inside each other");
    String name = null;
    if (open > 0) {
      if (text.charAt(open - 1) != ':') throw wrong("put a colon between a name and a bracket");
      name = text.substring(0, open - 1);
    }
    char bracket = text.charAt(open);
    char close = bracket == '(' ? ')' : bracket == '[' ? ']' : '}';
    if (text.charAt(text.length() - 1) != close) throw wrong("no closing " + close + " at its end");
    List<String> parts = split(text.substring(open + 1, text.length() - 1));
    if (bracket == '{') {
      Map<String, InputSpec> items = new LinkedHashMap<>();
      for (String part : parts) {
        int equals = part.indexOf('=');
        if (equals <= 0) throw wrong("\"" + part + "\" has no key=");
        String key = part.substring(0, equals).strip();
        if (items.put(key, item(part.substring(equals + 1))) != null)
          throw wrong("the key " + key + " is given twice");
      }
      return new InputSpec.Dict(name, items);
    }
    List<InputSpec> items = parts.stream().map(this::item).toList();
    return new InputSpec.Sequence(name, bracket == '(' ? "tuple" : "list", items);
  }

  private InputSpec item(String part) {
    return new InputSpecParser(part, depth + 1).parse();
  }

  private int firstBracket() {
    for (int i = 0; i < text.length(); i++) if ("([{".indexOf(text.charAt(i)) >= 0) return i;
    return -1;
  }

  private List<String> split(String inside) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i <= inside.length(); i++) {
      char c = i < inside.length() ? inside.charAt(i) : ',';
      if ("([{".indexOf(c) >= 0) depth++;
      else if (")]}".indexOf(c) >= 0) depth--;
      else if (c == ',' && depth == 0) {
        if (i > start) parts.add(inside.substring(start, i));
        start = i + 1;
      }
    }
    if (depth != 0 || parts.isEmpty()) throw wrong("its brackets do not close, or hold nothing");
    return parts;
  }

  private InputSpec tensor() {
    int equals = text.indexOf('=');
    String value = equals < 0 ? null : text.substring(equals + 1).strip();
    String before = equals < 0 ? text : text.substring(0, equals).strip();
    List<String> parts = new ArrayList<>(Arrays.asList(before.split(":", -1)));
    String name =
        parts.size() > 1 && !SHAPE.matcher(parts.get(0)).matches() ? parts.remove(0) : null;
    if (parts.size() > 2
        || !SHAPE.matcher(parts.get(0)).matches()
        || (name != null && name.isEmpty())) {
      throw wrong("it is not a shape");
    }
    List<Long> shape = shape(parts.get(0));
    // A range is of integers whatever else is said.
    String otherwise = value != null && ValuesParser.isRange(value) ? "int64" : "float32";
    String dtype = parts.size() == 2 ? dtype(parts.get(1)) : otherwise;
    try {
      Values values = value == null ? Values.DEFAULT : ValuesParser.parse(value, dtype);
      return new InputSpec.Tensor(name, shape, dtype, values);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  private List<Long> shape(String word) {
    List<Long> shape = new ArrayList<>();
    if (word.equals("scalar")) return shape;
    for (String size : word.split("[x,]")) {
      if (shape.size() == MOST_SIZES) throw wrong("a shape has at most " + MOST_SIZES + " sizes");
      try {
        shape.add(Long.parseLong(size));
      } catch (NumberFormatException e) {
        throw wrong("the size " + size + " is too large");
      }
    }
    return shape;
  }

  private String dtype(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    String dtype = ALIASES.getOrDefault(lower, lower);
    if (!DTYPES.contains(dtype)) {
      throw wrong("no dtype \"" + word + "\"; there are " + String.join(", ", DTYPES));
    }
    return dtype;
  }

  private IllegalArgumentException wrong(String what) {
    String shown = text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    return new IllegalArgumentException(
        "input \""
            + shown
            + "\": "
            + what
            + ". Write [name:]1x3x480x640[:float32][=0.5], scalar:int64, 1x16:int64=0..1000, (A,B),"
            + " [A,B] or {key=A,key=B}");
  }
}
