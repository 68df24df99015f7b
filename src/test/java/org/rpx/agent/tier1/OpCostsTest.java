package org.rpx.agent.tier1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rpx.agent.tier1.Calls.args;
import static org.rpx.agent.tier1.Calls.call;
import static org.rpx.agent.tier1.Calls.loose;
import static org.rpx.agent.tier1.Calls.tensor;
import static org.rpx.agent.tier1.Calls.trace;
import static org.rpx.agent.tier1.Calls.typed;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.TensorInfo;

class OpCostsTest {
  private final TensorInfo x = tensor(2, 3);
  private final OpCall mm = call("mm", args(x, tensor(3, 4)), tensor(2, 4));
  // 2·2·3·4 FLOPs; 6 + 12 + 8 floats.
  private static final long MM_FLOPS = 48;
  private static final long MM_BYTES = 104;
  private final OpCall relu = call("relu", args(x), tensor(2, 3));

  private static OpCosts costs(OpCall... calls) {
    return new OpCosts(trace(List.of(calls), List.of()), FlopRegistry.standard());
  }

  private static OpCall in(String module, OpCall call) {
    return new OpCall(call.name(), call.overload(), module, call.arguments(), call.results());
  }

  @Test
  void groupsCallsOfEqualCost() {
    OpCall wider = call("mm", args(x, tensor(3, 5)), tensor(2, 5));

    assertThat(costs(mm, relu, mm, wider).groups())
        .containsExactly(
            new OpGroup("aten::mm", "float32", 2, 2 * MM_FLOPS, 2 * MM_BYTES),
            new OpGroup("aten::relu", "float32", 1, 0L, 48L),
            new OpGroup("aten::mm", "float32", 1, 60L, (6L + 15 + 10) * 4));
  }

  @Test
  void anUnknownOpHasBytesButNoFlops() {
    assertThat(costs(call("my::op", args(x), tensor(2, 3))).groups())
        .containsExactly(new OpGroup("my::op", "float32", 1, null, 48L));
  }

  /** Root 100 %; a module holds what the modules in it cost. */
  @Test
  void addsUpModulesFromTheInside() {
    assertThat(
            costs(in("a.b", mm), in("a", mm), in("a.b", relu), in("c", mm), in("", relu)).modules())
        .containsExactly(
            new ModuleCost("", 5, 3 * MM_FLOPS, 3 * MM_BYTES + 96),
            new ModuleCost("a", 3, 2 * MM_FLOPS, 2 * MM_BYTES + 48),
            new ModuleCost("a.b", 2, MM_FLOPS, MM_BYTES + 48),
            new ModuleCost("c", 1, MM_FLOPS, MM_BYTES));
  }

  @Test
  void whatIsOfNoKnownModuleIsTheRoots() {
    assertThat(costs(mm).modules()).containsExactly(new ModuleCost("", 1, MM_FLOPS, MM_BYTES));
  }

  @Test
  void oddPathsEnd() {
    assertThat(costs(in(".a..b.", relu)).modules())
        .extracting(ModuleCost::path)
        .containsExactly("", ".a", ".a.", ".a..b", ".a..b.");
  }

  @Test
  void aDynamicallyQuantisedProductReckonsInIntegers() {
    TensorInfo packed = loose("qint8", 10, 3);
    OpCall linear =
        call("quantized::linear_dynamic", args(x, List.of(packed, tensor(10))), tensor(2, 10));

    assertThat(OpCosts.dtype(linear)).isEqualTo("int8");
    assertThat(OpCosts.dtype(call("mm", args(typed("bfloat16", 2, 3)), tensor(2))))
        .isEqualTo("bfloat16");
    assertThat(OpCosts.dtype(call("embedding", args(tensor(9, 4), typed("int64", 2)), tensor(2))))
        .isEqualTo("float32");
    assertThat(OpCosts.dtype(call("add", args(typed("int64", 2), 1), typed("int64", 2))))
        .isEqualTo("int64");
    assertThat(OpCosts.dtype(call("my::clock", args()))).isNull();
  }

  @Test
  void manyCallsTakeLittleTime() {
    OpCall[] calls = Collections.nCopies(100_000, in("a.b.c.d", mm)).toArray(new OpCall[0]);

    assertThat(costs(calls).groups()).hasSize(1);
  }
}
