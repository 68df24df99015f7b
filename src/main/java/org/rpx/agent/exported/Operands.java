package org.rpx.agent.exported;

import java.util.List;

/** Lays out what nodes take. */
final class Operands {
  private final FlatLayout out;
  private final Refusals refusals;

  Operands(FlatLayout out, Refusals refusals) {
    this.out = out;
    this.refusals = refusals;
  }

  /**
   * Kinds: 0 none, 1 value, 2 integer, 3 real, 4 truth, 5 text, 6 list, 7 dtype, 8 device.
   *
   * @param node that takes it; null for an output of a graph
   * @param place as a message names it: "aten::mul.Scalar's argument other"
   */
  void add(Node node, String place, Object value, Scope scope) {
    if (value == null) out.number(0);
    else if (Scope.isNamed(value)) {
      String name = Scope.named(value);
      pair(1, node == null ? scope.name(name) : scope.known(node, name));
    } else if (value instanceof Long n) pair(2, n);
    else if (value instanceof Double d) pair(3, Double.doubleToRawLongBits(d));
    else if (value instanceof Boolean b) pair(4, b ? 1 : 0);
    else if (value instanceof String text) {
      out.number(5);
      out.word(text);
    } else if (value instanceof List<?> list) {
      out.number(6);
      all(node, place, list, scope);
    } else if (value instanceof Code code) code(place, code);
    else refuse(place, value instanceof Opaque opaque ? opaque.kind() : "a graph");
  }

  /** Several, with their number in front. */
  void all(Node node, String place, List<?> values, Scope scope) {
    out.number(values.size());
    for (Object value : values) add(node, place, value, scope);
  }

  private void refuse(String place, String kind) {
    refusals.add(place + " (" + kind + ")");
    out.number(0);
  }

  private void pair(long kind, long number) {
    out.number(kind);
    out.number(number);
  }

  private void code(String place, Code code) {
    switch (code.kind()) {
      case DTYPE -> {
        Dtype type = Dtype.of(code.code());
        if (type == null) {
          refuse(place, "type " + code.code());
          return;
        }
        out.number(7);
        out.word(type.torchName());
      }
      case DEVICE -> out.number(8);
      // torch.export's numbers to those of c10::Layout and c10::MemoryFormat.
      case LAYOUT -> choice(place, "layout ", code, 0, 1, 2, 4, 5, 6, 3, 0);
      case MEMORY_FORMAT -> choice(place, "memory format ", code, 0, 0, 2, 3, 1);
    }
  }

  private void choice(String place, String kind, Code code, long... byCode) {
    if (code.code() >= 1 && code.code() < byCode.length) pair(2, byCode[(int) code.code()]);
    else refuse(place, kind + code.code());
  }
}
