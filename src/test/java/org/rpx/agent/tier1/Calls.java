package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** Tensors, calls and traces for tests, as a hook would have written them down. */
final class Calls {
  private static final Map<String, Integer> ITEM_BYTES =
      Map.ofEntries(
          Map.entry("float32", 4),
          Map.entry("float64", 8),
          Map.entry("float16", 2),
          Map.entry("bfloat16", 2),
          Map.entry("int64", 8),
          Map.entry("int32", 4),
          Map.entry("int8", 1),
          Map.entry("uint8", 1),
          Map.entry("qint8", 1),
          Map.entry("quint8", 1),
          Map.entry("bool", 1),
          Map.entry("complex64", 8));
  private static final AtomicLong STORAGES = new AtomicLong(100);

  private Calls() {}

  /** A packed float32 tensor in memory of its own. */
  static TensorInfo tensor(long... sizes) {
    return typed("float32", sizes);
  }

  /** A packed tensor in memory of its own. */
  static TensorInfo typed(String dtype, long... sizes) {
    return in(STORAGES.getAndIncrement(), dtype, sizes);
  }

  /** A packed tensor that has no memory to name: sparse, opaque or unpacked from a layer. */
  static TensorInfo loose(String dtype, long... sizes) {
    return in(-1, dtype, sizes);
  }

  private static TensorInfo in(long storage, String dtype, long... sizes) {
    List<Long> strides = new ArrayList<>();
    long stride = 1;
    for (int d = sizes.length - 1; d >= 0; d--) {
      strides.add(0, stride);
      stride *= sizes[d];
    }
    int bytes = ITEM_BYTES.get(dtype);
    return new TensorInfo(dtype, bytes, storage, 0, stride * bytes, longs(sizes), strides);
  }

  /** Another tensor in the memory of {@code base}. */
  static TensorInfo view(TensorInfo base, long offset, List<Long> sizes, List<Long> strides) {
    return new TensorInfo(
        base.dtype(),
        base.itemBytes(),
        base.storage(),
        offset,
        base.storageBytes(),
        sizes,
        strides);
  }

  /** A packed run of {@code length} elements in the memory of {@code base}. */
  static TensorInfo slice(TensorInfo base, long offset, long length) {
    return view(base, offset, List.of(length), List.of(1L));
  }

  static List<Long> longs(long... values) {
    return Arrays.stream(values).boxed().toList();
  }

  /** Arguments in order; an int stands for a long. */
  static List<Object> args(Object... values) {
    List<Object> list = new ArrayList<>();
    for (Object value : values) list.add(value instanceof Integer i ? Long.valueOf(i) : value);
    return list;
  }

  /** A call with one result; "mm" stands for "aten::mm". */
  static OpCall call(String name, List<Object> arguments, Object... results) {
    return call(name, "", arguments, results);
  }

  static OpCall call(String name, String overload, List<Object> arguments, Object... results) {
    String full = name.contains("::") ? name : "aten::" + name;
    return new OpCall(full, overload, null, arguments, Arrays.asList(results));
  }

  static OpTrace trace(List<OpCall> calls, List<Object> inputs, Object... outputs) {
    return new OpTrace(calls, inputs, Arrays.asList(outputs));
  }

  static Weight parameter(TensorInfo tensor) {
    return new Weight("parameter", "p", true, tensor);
  }

  static Weight frozen(TensorInfo tensor) {
    return new Weight("parameter", "p", false, tensor);
  }

  static Weight weight(String kind, TensorInfo tensor) {
    return new Weight(kind, "w", false, tensor);
  }
}
