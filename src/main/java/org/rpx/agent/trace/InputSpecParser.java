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
  private static final Pattern SHAPE = Pattern.compile("scalar|\\d+([x,]\\d+)*");
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

  InputSpecParser(String text) {
    this.text = text.strip();
  }

  InputSpec parse() {
    int open = text.isEmpty() ? -1 : firstBracket();
    if (open < 0) return tensor();
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
        if (items.put(key, InputSpec.parse(part.substring(equals + 1))) != null)
          throw wrong("the key " + key + " is given twice");
      }
      return new InputSpec.Dict(name, items);
    }
    List<InputSpec> items = parts.stream().map(InputSpec::parse).toList();
    return new InputSpec.Sequence(name, bracket == '(' ? "tuple" : "list", items);
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
    List<String> parts = new ArrayList<>(Arrays.asList(text.split(":", -1)));
    String name =
        parts.size() > 1 && !SHAPE.matcher(parts.get(0)).matches() ? parts.remove(0) : null;
    if (parts.size() > 2
        || !SHAPE.matcher(parts.get(0)).matches()
        || (name != null && name.isEmpty())) {
      throw wrong("it is not a shape");
    }
    List<Long> shape = new ArrayList<>();
    if (!parts.get(0).equals("scalar")) {
      for (String size : parts.get(0).split("[x,]")) {
        try {
          shape.add(Long.parseLong(size));
        } catch (NumberFormatException e) {
          throw wrong("the size " + size + " is too large");
        }
      }
    }
    return new InputSpec.Tensor(name, shape, parts.size() == 2 ? dtype(parts.get(1)) : "float32");
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
    return new IllegalArgumentException(
        "input \""
            + text
            + "\": "
            + what
            + ". Write [name:]1x3x480x640[:float32], scalar:int64, (A,B), [A,B] or {key=A,key=B}");
  }
}
