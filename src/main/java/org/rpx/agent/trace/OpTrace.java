package org.rpx.agent.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What one forward call did: its ops in order, what it was given and what it gave back. Immutable.
 *
 * @param inputs tensors, and lists of tensors where they were nested
 * @param outputs likewise
 */
public record OpTrace(List<OpCall> calls, List<Object> inputs, List<Object> outputs) {

  public OpTrace {
    calls = List.copyOf(calls);
    inputs = Collections.unmodifiableList(new ArrayList<>(inputs));
    outputs = Collections.unmodifiableList(new ArrayList<>(outputs));
  }

  /** All tensors in values that may be nested lists, in order. */
  public static List<TensorInfo> tensors(List<?> values) {
    List<TensorInfo> found = new ArrayList<>();
    for (Object value : values) {
      if (value instanceof TensorInfo t) found.add(t);
      else if (value instanceof List<?> list) found.addAll(tensors(list));
    }
    return found;
  }
}
