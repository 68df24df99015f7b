package org.rpx.agent.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** Reads the numbers and strings that native code hands over (layouts in docs/native.md). */
final class RecordReader {
  private final long[] numbers;
  private final String[] strings;
  private final List<TensorInfo> tensors = new ArrayList<>();
  private final Map<String, String> modules = new HashMap<>();
  private final int end;
  private int at;

  /**
   * @param numbers the first says where the tensors begin
   * @param text the strings, joined by '\n'
   */
  RecordReader(long[] numbers, String text) {
    this.numbers = numbers;
    this.strings = text.split("\n", -1);
    at = end = Math.toIntExact(numbers[0]);
    int count = Math.toIntExact(next());
    for (int i = 0; i < count; i++) tensors.add(readTensor());
    at = 1;
  }

  /** All strings, each once. */
  List<String> strings() {
    return List.of(strings);
  }

  boolean more() {
    return at < end;
  }

  long number() {
    return next();
  }

  String string() {
    return strings[Math.toIntExact(next())];
  }

  TensorInfo tensor() {
    return tensors.get(Math.toIntExact(next()));
  }

  /** Layout "weights". */
  List<Weight> weights() {
    List<Weight> weights = new ArrayList<>();
    while (more()) weights.add(new Weight(string(), string(), number() != 0, tensor()));
    return weights;
  }

  /** Layout "trace". */
  OpTrace trace() {
    long callsEnd = next();
    List<OpCall> calls = new ArrayList<>();
    while (at < callsEnd) calls.add(call());
    List<Object> inputs = values();
    List<Object> outputs = Arrays.asList(value());
    return new OpTrace(calls, inputs, outputs);
  }

  private OpCall call() {
    return new OpCall(string(), string(), module(string()), values(), values());
  }

  private String module(String frames) {
    return frames.isEmpty() ? null : modules.computeIfAbsent(frames, ModulePath::of);
  }

  private List<Object> values() {
    Object[] values = new Object[Math.toIntExact(next())];
    for (int i = 0; i < values.length; i++) values[i] = value();
    return Arrays.asList(values);
  }

  private Object value() {
    int kind = Math.toIntExact(next());
    return switch (kind) {
      case 0 -> null;
      case 1 -> tensor();
      case 2 -> next();
      case 3 -> Double.longBitsToDouble(next());
      case 4 -> next() != 0;
      case 5 -> values();
      case 6, 7 -> string();
      default -> throw new IllegalStateException("value of kind " + kind + " in a record");
    };
  }

  private TensorInfo readTensor() {
    String dtype = string();
    int itemBytes = Math.toIntExact(next());
    long storage = next();
    long offset = next();
    long storageBytes = next();
    int rank = Math.toIntExact(next());
    return new TensorInfo(
        dtype, itemBytes, storage, offset, storageBytes, longs(rank), longs(rank));
  }

  private List<Long> longs(int n) {
    List<Long> longs = new ArrayList<>(n);
    for (int i = 0; i < n; i++) longs.add(next());
    return longs;
  }

  private long next() {
    return numbers[at++];
  }
}
