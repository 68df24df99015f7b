package org.rpx.agent.tier1;

import java.util.List;
import java.util.function.LongBinaryOperator;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;

/** A part of a {@link FlopExpression}: its value for one call, or a RuntimeException. */
@FunctionalInterface
interface FlopTerm {
  long value(OpCall call);

  /** From left to right. A loop, so that a long sum is no deep recursion. */
  static FlopTerm fold(FlopTerm first, List<LongBinaryOperator> steps, List<FlopTerm> others) {
    return call -> {
      long result = first.value(call);
      for (int i = 0; i < steps.size(); i++) {
        result = steps.get(i).applyAsLong(result, others.get(i).value(call));
      }
      return result;
    };
  }

  /** The n-th tensor of a call's arguments ("in") or results ("out"), those in lists included. */
  static TensorInfo tensor(OpCall call, String side, int n) {
    return OpTrace.tensors(side.equals("in") ? call.arguments() : call.results()).get(n);
  }

  /** Bytes of a tensor's elements, however they lie in memory. */
  static long bytes(TensorInfo tensor) {
    return Math.multiplyExact(tensor.elements(), tensor.itemBytes());
  }

  /** An argument that has to be an integer, or a truth value: 0 or 1. */
  static long integer(Object argument) {
    if (argument instanceof Boolean b) return b ? 1 : 0;
    if (argument instanceof Long l) return l;
    throw new IllegalArgumentException("no integer: " + argument);
  }

  /** An item of an argument that has to be a list; negative ones count from the end. */
  static long item(Object argument, long index) {
    if (!(argument instanceof List<?> list))
      throw new IllegalArgumentException("no list: " + argument);
    int i = Math.toIntExact(index);
    return integer(list.get(i < 0 ? i + list.size() : i));
  }

  /** a / b, rounded down. The one quotient past 64 bits is not wrapped. */
  static long floorDiv(long a, long b) {
    if (a == Long.MIN_VALUE && b == -1) throw new ArithmeticException("long overflow");
    return Math.floorDiv(a, b);
  }

  /** a / b, rounded up. */
  static long ceilDiv(long a, long b) {
    long down = floorDiv(a, b);
    return Math.floorMod(a, b) == 0 ? down : down + 1;
  }
}
