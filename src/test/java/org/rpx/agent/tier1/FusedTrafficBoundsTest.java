package org.rpx.agent.tier1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rpx.agent.tier1.Calls.args;
import static org.rpx.agent.tier1.Calls.call;
import static org.rpx.agent.tier1.Calls.slice;
import static org.rpx.agent.tier1.Calls.tensor;
import static org.rpx.agent.tier1.Calls.trace;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;

/**
 * Whatever ran: never more than without fusion, never less than what has to be read and written.
 */
class FusedTrafficBoundsTest {
  private static final String[] OPS = {
    "mm", "add", "relu_", "layer_norm", "softmax", "mul_", "clone", "view", "cat", "sigmoid_"
  };

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void liesBetweenItsBounds(long seed) {
    Random random = new Random(seed);
    List<OpCall> calls = new ArrayList<>();
    List<TensorInfo> weights = new ArrayList<>();
    List<TensorInfo> made = new ArrayList<>();
    TensorInfo first = tensor(12);
    calls.add(call("mm", args(tensor(12), weight(weights)), first));
    made.add(first);
    for (int i = 0; i < 200; i++) {
      TensorInfo a = any(random, made);
      TensorInfo b = any(random, made);
      TensorInfo result = tensor(random.nextInt(4) > 0 ? 12 : 6);
      String op = OPS[random.nextInt(OPS.length)];
      switch (op) {
        case "mm", "layer_norm" -> calls.add(call(op, args(a, weight(weights)), result));
        case "view" -> calls.add(call(op, args(a), result = slice(a, 0, a.extent())));
        case "relu_", "sigmoid_" -> calls.add(call(op, args(a), result = a));
        case "mul_" -> calls.add(call(op, args(a, b), result = a));
        case "cat" -> calls.add(call(op, args(List.of(a, b)), result));
        default -> calls.add(call(op, args(a, b), result));
      }
      made.add(result);
      if (random.nextInt(5) == 0 && result.extent() > 6) made.add(slice(result, 3, 6));
    }
    List<TensorInfo> outputs = List.of(any(random, made), any(random, made), any(random, made));
    OpTrace trace = trace(calls, List.of(), outputs.toArray());

    List<TensorInfo> least = new ArrayList<>(weights);
    least.addAll(outputs);
    assertThat(Traffic.fused(trace))
        .isLessThanOrEqualTo(Traffic.unfused(trace))
        .isGreaterThanOrEqualTo(Parameters.bytes(least));
  }

  private static TensorInfo any(Random random, List<TensorInfo> tensors) {
    return tensors.get(random.nextInt(tensors.size()));
  }

  private static TensorInfo weight(List<TensorInfo> weights) {
    weights.add(tensor(7));
    return weights.get(weights.size() - 1);
  }

  /**
   * Half products in a row, each with a sum, then one chain of as many more. Ten times the ops in
   * the thread's own time, which others on the machine do not lengthen: a square of them would take
   * a hundred.
   */
  @Test
  void takesTimeInProportionToTheOps() {
    assertThat(fusedBytes(10_000)).isEqualTo(2_500L * 4 * (10 + 7 + 10));
    long few = nanos(() -> fusedBytes(10_000));
    long many = nanos(() -> assertThat(fusedBytes(100_000)).isEqualTo(25_000L * 4 * (10 + 7 + 10)));

    assertThat((double) many / few).isLessThan(50);
  }

  private static long nanos(Runnable work) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    work.run();
    return threads.getCurrentThreadCpuTime() - start;
  }

  private static long fusedBytes(int ops) {
    List<OpCall> calls = new ArrayList<>();
    TensorInfo weight = tensor(7);
    TensorInfo last = tensor(10);
    for (int i = 0; i < ops; i++) {
      TensorInfo next = tensor(10);
      calls.add(call(i < ops / 2 && i % 2 == 0 ? "mm" : "add", args(last, weight), next));
      last = next;
    }
    return Traffic.fused(trace(calls, List.of(), last));
  }
}
