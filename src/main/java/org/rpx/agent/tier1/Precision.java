package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rpx.agent.trace.TensorInfo;

/** Which of a GPU's peaks a model runs against: the type that holds most of its weights. */
final class Precision {
  private static final Map<String, String> NAMES =
      Map.of(
          "float32",
          "fp32",
          "float16",
          "fp16",
          "bfloat16",
          "bf16",
          "float64",
          "fp64",
          "int8",
          "int8",
          "uint8",
          "int8",
          "qint8",
          "int8",
          "quint8",
          "int8");

  private Precision() {}

  /**
   * "fp32" of "float32", "int8" of any 8-bit integer; null for a type that no GPU has a peak for.
   */
  static String name(String dtype) {
    return dtype == null ? null : NAMES.get(dtype);
  }

  /**
   * fp32, fp16, bf16, fp64 or int8, from the parameters, else from the inputs; null where neither
   * tells.
   */
  static String of(List<TensorInfo> parameters, List<TensorInfo> inputs) {
    String found = most(parameters);
    return found != null ? found : most(inputs.stream().filter(TensorInfo::floating).toList());
  }

  private static String most(List<TensorInfo> tensors) {
    Map<String, List<TensorInfo>> byName = new TreeMap<>();
    for (TensorInfo t : tensors) {
      String name = NAMES.get(t.dtype());
      if (name != null) byName.computeIfAbsent(name, n -> new ArrayList<>()).add(t);
    }
    String found = null;
    long most = -1;
    // Of equals the first by name.
    for (var group : byName.entrySet()) {
      long elements = Parameters.elements(group.getValue());
      if (elements > most) {
        most = elements;
        found = group.getKey();
      }
    }
    return found;
  }
}
