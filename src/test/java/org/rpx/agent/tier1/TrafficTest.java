package org.rpx.agent.tier1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rpx.agent.tier1.Calls.args;
import static org.rpx.agent.tier1.Calls.call;
import static org.rpx.agent.tier1.Calls.longs;
import static org.rpx.agent.tier1.Calls.tensor;
import static org.rpx.agent.tier1.Calls.trace;
import static org.rpx.agent.tier1.Calls.typed;
import static org.rpx.agent.tier1.Calls.view;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.TensorInfo;

/** Bytes of single calls, in floats of 4 bytes. */
class TrafficTest {
  private final TensorInfo x = tensor(4, 5);

  @Test
  void anOpReadsItsDistinctInputsAndWritesItsOutputs() {
    assertThat(floats(call("mul", args(x, x), tensor(4, 5)))).isEqualTo(20 + 20);
    assertThat(floats(call("add", args(x, tensor(5)), tensor(4, 5)))).isEqualTo(20 + 5 + 20);
    TensorInfo expanded = view(tensor(5), 0, longs(4, 5), longs(0, 1));
    assertThat(floats(call("add", args(x, expanded), tensor(4, 5)))).isEqualTo(20 + 5 + 20);
  }

  @Test
  void viewsMoveNothingInPlaceOrNot() {
    TensorInfo turned = view(x, 0, longs(5, 4), longs(1, 5));

    assertThat(floats(call("t", args(x), turned))).isZero();
    assertThat(floats(call("t_", args(x), turned))).isZero();
    assertThat(floats(call("unsqueeze_", args(x, 0), view(x, 0, longs(1, 4, 5), longs(20, 5, 1)))))
        .isZero();
  }

  @Test
  void inPlaceOpsReadAndWrite() {
    assertThat(floats(call("relu_", args(x), x))).isEqualTo(20 + 20);
  }

  @Test
  void askingForAValueReadsItAndForAShapeDoesNot() {
    assertThat(floats(call("item", args(tensor()), 0.5))).isEqualTo(1);
    assertThat(floats(call("size", args(x, 0), 4L))).isZero();
  }

  /** out= names what is written, which is not read; an operand that it names too is. */
  @Test
  void outVariantsWriteWithoutReading() {
    TensorInfo y = tensor(4, 5);

    assertThat(floats(call("add", "out", args(x, x, 1, y), y))).isEqualTo(20 + 20);
    assertThat(floats(call("add", "out", args(x, y, 1, x), x))).isEqualTo(20 + 20 + 20);
  }

  @Test
  void lookupsReadWhatTheyGiveOut() {
    TensorInfo table = tensor(1000, 5);
    TensorInfo rows = typed("int32", 4);

    assertThat(floats(call("embedding", args(table, rows), tensor(4, 5)))).isEqualTo(20 + 4 + 20);
    // No more than the whole table, however often its rows are asked for.
    assertThat(floats(call("index_select", args(tensor(1, 5), 0, rows), tensor(4, 5))))
        .isEqualTo(5 + 4 + 20);
  }

  private static long floats(OpCall call) {
    long bytes = Traffic.bytes(call);
    assertThat(Traffic.unfused(trace(List.of(call, call), List.of()))).isEqualTo(2 * bytes);
    assertThat(bytes % 4).isZero();
    return bytes / 4;
  }
}
