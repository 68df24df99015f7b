package org.rpx.agent.tier1;

import static java.lang.Math.multiplyExact;

import java.util.List;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.TensorInfo;

/**
 * FLOPs of matrix products: 2 x batch x rows x columns x inner length. Overflow of 2^63 is an
 * ArithmeticException.
 */
final class Products {
  private Products() {}

  /** 2mnk over the whole batch: x (…, k), weight (n, k) or (k). */
  static long linear(TensorInfo x, TensorInfo weight) {
    long outputs = weight.rank() == 1 ? 1 : weight.size(0);
    if (x.size(-1) != weight.size(-1)) throw new IllegalArgumentException("inner lengths differ");
    return twice(multiplyExact(x.elements(), outputs));
  }

  /** Weights that are packed and show no shape: x (…, k) and result (…, n) tell. */
  static long packedLinear(TensorInfo x, TensorInfo result) {
    return twice(multiplyExact(x.elements(), result.size(-1)));
  }

  /** As torch.matmul: vectors are a row and a column, leading dimensions broadcast. */
  static long matmul(TensorInfo a, TensorInfo b) {
    long rows = a.rank() == 1 ? 1 : a.size(-2);
    long columns = b.rank() == 1 ? 1 : b.size(-1);
    long inner = a.size(-1);
    if (inner != b.size(b.rank() == 1 ? -1 : -2))
      throw new IllegalArgumentException("inner lengths differ");
    long batch = 1;
    boolean alike = true;
    for (int d = 3; d <= Math.max(a.rank(), b.rank()); d++) {
      long of = d <= a.rank() ? a.size(-d) : 1;
      long other = d <= b.rank() ? b.size(-d) : 1;
      batch = multiplyExact(batch, of == 1 ? other : of);
      alike &= of == other || of == 1 || other == 1;
    }
    if (!alike) throw new IllegalArgumentException("batches differ");
    return twice(multiplyExact(multiplyExact(batch, rows), multiplyExact(columns, inner)));
  }

  /** Contracts the last dimension of both. With a scalar nothing is contracted. */
  static long inner(TensorInfo a, TensorInfo b) {
    if (a.rank() == 0 || b.rank() == 0) return 0;
    return contracted(a, b, a.size(-1));
  }

  /**
   * Contracts the listed dimensions of the first with those of the second. Where one side has size
   * 1, the other is summed first, free.
   */
  static long tensordot(TensorInfo a, TensorInfo b, List<Long> ofA, List<Long> ofB) {
    if (ofA.isEmpty()) return 0;
    long inner = 1;
    long left = a.elements();
    long right = b.elements();
    for (int i = 0; i < ofA.size(); i++) {
      long one = a.size(Math.toIntExact(ofA.get(i)));
      long other = b.size(Math.toIntExact(ofB.get(i)));
      if (one == 0 || other == 0) return 0;
      if (one == other) inner = multiplyExact(inner, one);
      else if (one == 1) right /= other;
      else if (other == 1) left /= one;
      else throw new IllegalArgumentException("contracted sizes differ");
    }
    return inner == 1 ? 0 : twice(multiplyExact(left, right / inner));
  }

  private static long contracted(TensorInfo a, TensorInfo b, long inner) {
    return inner == 0 ? 0 : twice(multiplyExact(a.elements(), b.elements() / inner));
  }

  /**
   * Two contractions for each of rows x outputs: with the weight (o, i1, i2), i1·i2, and with the
   * second input, i2.
   */
  static long bilinear(OpCall call) {
    TensorInfo first = call.tensor(0);
    TensorInfo weight = call.tensor(2);
    long rows = first.size(-1) == 0 ? 0 : first.elements() / first.size(-1);
    long each = Math.addExact(multiplyExact(weight.size(1), weight.size(2)), weight.size(2));
    return twice(multiplyExact(multiplyExact(rows, weight.size(0)), each));
  }

  static long twice(long macs) {
    return multiplyExact(2L, macs);
  }
}
