package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads what a file says of tensors and of numbers that sizes decide. */
final class TensorReader {
  /** PyTorch's own limit. */
  private static final int HIGHEST_RANK = 64;

  private static final long STRIDED = 7;

  /** In all expressions: 100,000 different ones of usual length. Each is parsed. */
  private static final long MOST_CHARACTERS = 16 << 20;

  private final JsonIn json;

  /** Expressions repeat in every tensor; small numbers too. */
  private final Map<String, Size> expressions = new HashMap<>();

  private long characters;

  private final Size[] small = new Size[1024];

  TensorReader(JsonIn json) {
    this.json = json;
  }

  TensorMeta tensor() {
    Builder found = new Builder();
    json.object(
        key -> {
          switch (key) {
            case "dtype" -> found.dtype = dtype();
            case "sizes" -> found.sizes = sizes();
            case "strides" -> found.strides = sizes();
            case "storage_offset" -> found.offset = size();
            case "requires_grad" -> found.requiresGrad = json.bool();
            case "device" -> found.device = device();
            case "layout" -> found.strided = json.integer() == STRIDED;
            default -> json.skip();
          }
        });
    return new TensorMeta(
        json.need(found.dtype, "dtype"),
        json.need(found.sizes, "sizes"),
        found.strides,
        found.offset,
        found.requiresGrad,
        found.device,
        found.strided);
  }

  private static final class Builder {
    Dtype dtype;
    List<Size> sizes;
    List<Size> strides = List.of();
    Size offset = Size.of(0);
    boolean requiresGrad;
    String device = "";
    boolean strided = true;
  }

  private Dtype dtype() {
    Dtype dtype = Dtype.of(json.integer());
    if (dtype == null)
      throw json.wrong("is " + json.integer() + ", which is no dtype that is known here");
    return dtype;
  }

  /** "cuda:0". */
  String device() {
    String[] parts = {"", ""};
    json.object(
        key -> {
          if (key.equals("type")) parts[0] = json.string();
          else if (key.equals("index") && !json.isNull()) parts[1] = ":" + json.integer();
          else json.skip();
        });
    return (parts[0] + parts[1]).intern();
  }

  private List<Size> sizes() {
    List<Size> all = new ArrayList<>();
    json.array(
        () -> {
          all.add(size());
          if (all.size() > HIGHEST_RANK)
            throw json.wrong("has more than " + HIGHEST_RANK + " dimensions");
        });
    return List.copyOf(all);
  }

  private Size size() {
    Object number = number();
    if (number instanceof Size size) return size;
    throw json.wrong("is not a size");
  }

  /** {@code {"as_int": 3}} or {@code {"as_expr": {"expr_str": "2*s0", "hint": {"as_int": 6}}}}. */
  Object number() {
    Object[] value = {null};
    json.object(
        kind -> {
          switch (kind) {
            case "as_int" -> value[0] = whole(json.integer());
            case "as_expr" -> value[0] = expression();
            case "as_float" -> value[0] = json.number();
            case "as_bool" -> value[0] = json.bool();
            default -> json.skip();
          }
        });
    return value[0];
  }

  private Size expression() {
    String[] text = {null};
    Object[] hint = {null};
    json.object(
        key -> {
          if (key.equals("expr_str")) text[0] = json.string();
          else if (key.equals("hint") && !json.isNull()) hint[0] = number();
          else json.skip();
        });
    Long value = hint[0] instanceof Size size ? size.value() : null;
    Size size = new Size(json.need(text[0], "expr_str"), value);
    Size before = expressions.putIfAbsent(text[0], size);
    if (before == null && (characters += text[0].length()) > MOST_CHARACTERS)
      throw json.wrong("is one of expressions of more than " + MOST_CHARACTERS + " characters");
    return size.equals(before) ? before : size;
  }

  private Size whole(long value) {
    if (value < 0 || value >= small.length) return Size.of(value);
    Size known = small[(int) value];
    return known != null ? known : (small[(int) value] = Size.of(value));
  }
}
