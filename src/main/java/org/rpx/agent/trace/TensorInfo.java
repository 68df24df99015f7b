package org.rpx.agent.trace;

import java.util.List;

/**
 * A tensor as an op saw it: no data, only where it lies and how.
 *
 * @param dtype PyTorch's name: float32, int64, qint8 …
 * @param itemBytes bytes of an element
 * @param storage names the memory behind it; two tensors with one number share memory. -1 where it
 *     has none (sparse, opaque)
 * @param offset of the first element in the storage, in elements
 * @param storageBytes size of the storage; -1 where it has none
 * @param sizes the shape
 * @param strides in elements; all -1 where it has none
 */
public record TensorInfo(
    String dtype,
    int itemBytes,
    long storage,
    long offset,
    long storageBytes,
    List<Long> sizes,
    List<Long> strides) {

  public TensorInfo {
    sizes = List.copyOf(sizes);
    strides = List.copyOf(strides);
  }

  public int rank() {
    return sizes.size();
  }

  /** Size of a dimension; negative ones count from the end. */
  public long size(int dimension) {
    return sizes.get(dimension < 0 ? dimension + rank() : dimension);
  }

  /** Elements of the shape. Throws ArithmeticException past 2^63. */
  public long elements() {
    long n = 1;
    for (long size : sizes) n = Math.multiplyExact(n, size);
    return n;
  }

  /** Elements of the storage that it spans: fewer than {@link #elements} where it is expanded. */
  public long extent() {
    long last = 0;
    for (int i = 0; i < rank(); i++) {
      if (size(i) == 0) return 0;
      if (strides.get(i) < 0) return elements();
      last = Math.addExact(last, Math.multiplyExact(size(i) - 1, strides.get(i)));
    }
    return Math.addExact(last, 1);
  }

  /** Elements that it has in memory: an expanded dimension is there once. */
  public long stored() {
    long n = 1;
    for (int i = 0; i < rank(); i++) {
      if (strides.get(i) != 0 || size(i) == 0) n = Math.multiplyExact(n, size(i));
    }
    return Math.min(n, extent());
  }

  /** Whether it holds floating-point numbers of any width. */
  public boolean floating() {
    return dtype.startsWith("float") || dtype.startsWith("bfloat");
  }
}
