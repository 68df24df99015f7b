package org.rpx.agent.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One call of an op, as the program wrote it.
 *
 * @param name with its namespace: "aten::conv2d"
 * @param overload "" for the default one
 * @param module dotted path of the module whose code called it: "layer1.0.conv1", "" for the model
 *     itself; null where that is not known
 * @param arguments in the schema's order, defaults filled in: TensorInfo, Long, Double, Boolean,
 *     String, List of these, or null
 * @param results likewise
 */
public record OpCall(
    String name, String overload, String module, List<Object> arguments, List<Object> results) {

  public OpCall {
    arguments = Collections.unmodifiableList(new ArrayList<>(arguments));
    results = Collections.unmodifiableList(new ArrayList<>(results));
  }

  /**
   * An argument that has to be a tensor.
   *
   * @throws IllegalArgumentException where it is not
   */
  public TensorInfo tensor(int argument) {
    return as(TensorInfo.class, arguments, argument);
  }

  /** An argument that may be a tensor: null where it is anything else, or not there. */
  public TensorInfo tensorOrNull(int argument) {
    return argument < arguments.size() && arguments.get(argument) instanceof TensorInfo t
        ? t
        : null;
  }

  /** A result that has to be a tensor. */
  public TensorInfo result(int result) {
    return as(TensorInfo.class, results, result);
  }

  public long integer(int argument) {
    return as(Long.class, arguments, argument);
  }

  public boolean bool(int argument) {
    return as(Boolean.class, arguments, argument);
  }

  public String string(int argument) {
    return as(String.class, arguments, argument);
  }

  /** An argument that has to be a list of tensors. */
  public List<TensorInfo> tensors(int argument) {
    List<TensorInfo> tensors = new ArrayList<>();
    for (Object item : as(List.class, arguments, argument)) {
      if (!(item instanceof TensorInfo t))
        throw new IllegalArgumentException(name + ": argument " + argument);
      tensors.add(t);
    }
    return tensors;
  }

  /** An argument that has to be a list of integers. */
  public List<Long> integers(int argument) {
    List<Long> integers = new ArrayList<>();
    for (Object item : as(List.class, arguments, argument)) integers.add((Long) item);
    return integers;
  }

  private <T> T as(Class<T> type, List<Object> values, int i) {
    if (i >= values.size() || !type.isInstance(values.get(i))) {
      throw new IllegalArgumentException(
          name + ": value " + i + " is not a " + type.getSimpleName());
    }
    return type.cast(values.get(i));
  }
}
