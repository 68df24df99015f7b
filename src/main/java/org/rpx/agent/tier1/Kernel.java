package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.rpx.agent.trace.TensorInfo;

/**
 * Ops that run as one: what they read from outside. Kernels are ordered so that each needs only
 * earlier ones, by how many it has to wait for, not by when the program came to it.
 */
final class Kernel implements Comparable<Kernel> {
  private static final Comparator<Kernel> ORDER =
      Comparator.<Kernel>comparingInt(k -> k.level).thenComparingInt(k -> k.number);

  private final int level;
  private final int number;
  private final List<TensorInfo> operands = new ArrayList<>();
  private long oneByOne;
  private long rows;

  /**
   * @param level above that of all kernels whose results it needs
   * @param number of kernels begun before
   */
  Kernel(int level, int number) {
    this.level = level;
    this.number = number;
  }

  int level() {
    return level;
  }

  /** One of its ops reads these, and {@code rows} bytes of a table. */
  void reads(List<TensorInfo> outside, long rows) {
    operands.addAll(outside);
    oneByOne = Math.addExact(oneByOne, Parameters.bytes(outside));
    this.rows = Math.addExact(this.rows, rows);
  }

  /** Bytes that it reads, what several of its ops read once. */
  long read() {
    // The bytes of overlapping parts are an upper bound, which is never to exceed the plain sum.
    return Math.addExact(rows, Math.min(oneByOne, Parameters.bytes(operands)));
  }

  @Override
  public int compareTo(Kernel other) {
    return ORDER.compare(this, other);
  }
}
