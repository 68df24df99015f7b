package org.rpx.agent.exported;

import java.util.List;
import java.util.Map;

/**
 * A whole exported program, without its weights.
 *
 * @param inputs what each input of the graph is, in the graph's order
 * @param outputs likewise
 * @param inputTree how the user's inputs are nested, in PyTorch's notation; null where not told
 * @param outputTree likewise what it gives back
 * @param argumentNames of forward; empty where not told
 * @param ranges what a symbol may be
 * @param guards conditions on the user's inputs, in Python; empty in files of torch before 2.9
 */
record Program(
    Graph graph,
    List<Binding> inputs,
    List<Binding> outputs,
    String inputTree,
    String outputTree,
    List<String> argumentNames,
    Map<String, Range> ranges,
    List<String> guards) {

  /**
   * What an input or output of the graph is.
   *
   * @param kind "user_input", "parameter", "buffer", "tensor_constant", "constant_input",
   *     "user_output", "buffer_mutation" …
   * @param value as in {@link Node.Input}
   * @param target name of the parameter, buffer or input that it stands for; null for none
   */
  record Binding(String kind, Object value, String target) {
    /** Whether the caller of forward gives it. */
    boolean fromUser() {
      return kind.equals("user_input") || kind.equals("constant_input");
    }
  }

  /** Null where a side has no limit. */
  record Range(Long min, Long max) {}
}
