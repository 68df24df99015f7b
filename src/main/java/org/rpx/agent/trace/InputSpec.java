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

  /** The same with another name; null for none. */
  InputSpec withName(String name);

  /**
   * The same with every tensor's first dimension set to {@code batch}; scalars stay.
   *
   * @throws IllegalArgumentException where a tensor has the data of a file, and another first size
   */
  InputSpec withBatch(long batch);

  /**
   * One tensor.
   *
   * @param name null where none was given
   * @param shape sizes, none for a scalar
   * @param dtype PyTorch's name
   * @param values what it holds; an IllegalArgumentException where the dtype does not hold them
   */
  record Tensor(String name, List<Long> shape, String dtype, Values values) implements InputSpec {
    public Tensor {
      shape = List.copyOf(shape);
      values.check(shape, dtype);
    }

    /** With the values that its dtype has by default. */
    public Tensor(String name, List<Long> shape, String dtype) {
      this(name, shape, dtype, Values.DEFAULT);
    }

    @Override
    public Tensor withName(String name) {
      return new Tensor(name, shape, dtype, values);
    }

    @Override
    public Tensor withBatch(long batch) {
      if (shape.isEmpty() || shape.get(0) == batch) return this;
      if (values instanceof Values.File file) {
        throw new IllegalArgumentException(
            String.format(
                "batch %d does not fit %s, whose data has a first size of %d;"
                    + " leave the batch out, or save the array with that size",
                batch, file.name(), shape.get(0)));
      }
      List<Long> sizes = new ArrayList<>(shape);
      sizes.set(0, batch);
      return new Tensor(name, sizes, dtype, values);
    }
  }

  /** Tensors in order. {@code kind} is "tuple" or "list". */
  record Sequence(String name, String kind, List<InputSpec> items) implements InputSpec {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public Sequence withName(String name) {
      return new Sequence(name, kind, items);
    }

    @Override
    public Sequence withBatch(long batch) {
      return new Sequence(name, kind, items.stream().map(i -> i.withBatch(batch)).toList());
    }
  }

  /** Tensors by key; an IllegalArgumentException where a key has a control character. */
  record Dict(String name, Map<String, InputSpec> items) implements InputSpec {
    public Dict {
      items = Collections.unmodifiableMap(new LinkedHashMap<>(items));
      // Keys go to native code as lines of one text.
      for (String key : items.keySet()) {
        if (key.chars().anyMatch(Character::isISOControl))
          throw new IllegalArgumentException("the key \"" + key + "\" has a control character");
      }
    }

    @Override
    public Dict withName(String name) {
      return new Dict(name, items);
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
   * Reads what a command line says: {@code [name:]1x3x480x640[:float32][=0.5]}, {@code
   * scalar:int64=5}, {@code 1x16:int64=0..1000}, {@code (A,B)}, {@code [A,B]}, {@code
   * {key=A,key=B}}.
   *
   * @throws IllegalArgumentException with what is wrong and how it is written
   */
  static InputSpec parse(String text) {
    return new InputSpecParser(text, 0).parse();
  }
}
