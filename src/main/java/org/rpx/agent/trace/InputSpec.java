package org.rpx.agent.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The shape of one argument of a model's forward: a tensor, or tensors in a tuple, list or dict.
 */
public sealed interface InputSpec {

  /** The argument's name; null where none was given. */
  String name();

  /** The same with every tensor's first dimension set to {@code batch}; scalars stay. */
  InputSpec withBatch(long batch);

  /**
   * One tensor.
   *
   * @param name null where none was given
   * @param shape sizes, none for a scalar
   * @param dtype PyTorch's name
   */
  record Tensor(String name, List<Long> shape, String dtype) implements InputSpec {
    public Tensor {
      shape = List.copyOf(shape);
    }

    @Override
    public Tensor withBatch(long batch) {
      if (shape.isEmpty()) return this;
      List<Long> sizes = new ArrayList<>(shape);
      sizes.set(0, batch);
      return new Tensor(name, sizes, dtype);
    }
  }

  /** Tensors in order. {@code kind} is "tuple" or "list". */
  record Sequence(String name, String kind, List<InputSpec> items) implements InputSpec {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public Sequence withBatch(long batch) {
      return new Sequence(name, kind, items.stream().map(i -> i.withBatch(batch)).toList());
    }
  }

  /** Tensors by key. */
  record Dict(String name, Map<String, InputSpec> items) implements InputSpec {
    public Dict {
      items = Collections.unmodifiableMap(new LinkedHashMap<>(items));
    }

    @Override
    public Dict withBatch(long batch) {
      Map<String, InputSpec> changed = new LinkedHashMap<>();
      items.forEach((key, item) -> changed.put(key, item.withBatch(batch)));
      return new Dict(name, changed);
    }
  }

  /** A tensor without a name. */
  static Tensor tensor(String dtype, long... shape) {
    return new Tensor(null, java.util.Arrays.stream(shape).boxed().toList(), dtype);
  }

  /**
   * Reads what a command line says: {@code [name:]1x3x480x640[:float32]}, {@code scalar:int64},
   * {@code (A,B)}, {@code [A,B]}, {@code {key=A,key=B}}.
   *
   * @throws IllegalArgumentException with what is wrong and how it is written
   */
  static InputSpec parse(String text) {
    return new InputSpecParser(text).parse();
  }
}
