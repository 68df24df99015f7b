package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.List;
import org.rpx.agent.trace.TensorInfo;

/** A tensor's shape and strides as numbers, before it is said whose memory it has. */
record Tensors(TensorMeta meta, List<Long> sizes, List<Long> strides, long offset, long bytes) {

  /**
   * Puts numbers for symbols.
   *
   * @param name as a message names it
   * @throws GraphException where a size is not known, negative, or too large; an InputException
   *     where inputs decide it
   */
  static Tensors of(String name, TensorMeta meta, Symbols symbols) {
    List<Long> sizes = new ArrayList<>();
    for (Size size : meta.sizes()) {
      long value = symbols.value(size);
      if (value < 0)
        throw size.symbolic()
            ? new InputException(
                "a size of " + name + " is " + value + "; give larger inputs, or export it again")
            : new GraphException("a size of " + name + " is " + value + "; export it again");
      sizes.add(value);
    }
    try {
      List<Long> strides = strides(meta, sizes, symbols);
      Long offset = meta.strided() ? symbols.valueOrNull(meta.offset()) : Long.valueOf(0);
      long first = offset == null || offset < 0 ? 0 : offset;
      TensorInfo shape = info(meta, 0, first, 0, sizes, strides);
      shape.elements();
      long elements = Math.addExact(first, shape.extent());
      return new Tensors(
          meta, sizes, strides, first, Math.multiplyExact(elements, meta.dtype().bytes()));
    } catch (ArithmeticException e) {
      boolean symbolic = meta.sizes().stream().anyMatch(Size::symbolic);
      String what = name + " has more than 2^63 bytes; ";
      throw symbolic
          ? new InputException(what + "give smaller inputs, or export it again")
          : new GraphException(what + "export it again");
    }
  }

  /** The file's; of a shape's own where the file has none that fit. */
  private static List<Long> strides(TensorMeta meta, List<Long> sizes, Symbols symbols) {
    List<Long> strides = new ArrayList<>();
    if (!meta.strided()) {
      for (int i = 0; i < sizes.size(); i++) strides.add(-1L);
      return strides;
    }
    for (Size stride : meta.strides()) {
      Long value = symbols.valueOrNull(stride);
      if (value != null && value >= 0) strides.add(value);
    }
    if (strides.size() == sizes.size()) return strides;
    Long[] dense = new Long[sizes.size()];
    long step = 1;
    for (int i = dense.length - 1; i >= 0; i--) {
      dense[i] = step;
      step = Math.multiplyExact(step, Math.max(1, sizes.get(i)));
    }
    return List.of(dense);
  }

  private static TensorInfo info(
      TensorMeta meta,
      long storage,
      long offset,
      long bytes,
      List<Long> sizes,
      List<Long> strides) {
    return new TensorInfo(
        meta.dtype().torchName(), meta.dtype().bytes(), storage, offset, bytes, sizes, strides);
  }

  /** In memory of its own. Sparse and opaque tensors have none that could be shared. */
  TensorInfo in(long storage) {
    return meta.strided()
        ? info(meta, storage, offset, bytes, sizes, strides)
        : info(meta, -1, 0, -1, sizes, strides);
  }

  /** In the memory of another. */
  TensorInfo in(TensorInfo base) {
    return meta.strided()
        ? info(meta, base.storage(), offset, base.storageBytes(), sizes, strides)
        : in(-1);
  }
}
