package org.rpx.agent.host;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One figure of the machine at one moment, or why there is none.
 *
 * @param name what it is, as {@code power.VDD_IN}
 * @param value a {@link Double}, a {@link Long} or a text; null unless the state is ok
 * @param unit of a number, as {@code mW}; empty for a text or a plain count
 * @param source the file or the library that tells it
 * @param state whether it could be read
 * @param reason why there is no value; null where there is one
 */
public record Reading(
    String name, Object value, String unit, String source, State state, String reason) {

  static Reading ok(String name, Object value, String unit, String source) {
    return new Reading(name, value, unit, source, State.OK, null);
  }

  static Reading none(String name, String unit, String source, State state, String reason) {
    return new Reading(name, null, unit, source, state, reason);
  }

  /** A file that holds one whole number, times {@code factor}; what else it holds is no value. */
  static Reading number(Tree tree, String name, String path, double factor, String unit) {
    Tree.Look look = tree.look(path);
    Long number = Tree.whole(look.text());
    if (number != null) {
      return ok(name, number * factor, unit, Tree.source(path));
    }
    boolean odd = look.state() == State.OK;
    return none(
        name,
        unit,
        Tree.source(path),
        odd ? State.UNSUPPORTED : look.state(),
        odd ? "holds no whole number" : look.reason());
  }

  /** The value as a number; null where there is none or it is a text. */
  Double number() {
    return value instanceof Number number ? (Double) number.doubleValue() : null;
  }

  /**
   * {@code value}, {@code unit}, {@code state}, {@code source} and, without a value, the reason.
   */
  Map<String, Object> toMap() {
    return map("value", value, unit, state, source, reason);
  }

  /** What a reading or a count is in reports, its figure under {@code key}. */
  static Map<String, Object> map(
      String key, Object figure, String unit, State state, String source, String reason) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(key, figure);
    if (!unit.isEmpty()) {
      map.put("unit", unit);
    }
    map.put("state", state.toString());
    map.put("source", source);
    if (reason != null) {
      map.put("reason", reason);
    }
    return map;
  }
}
