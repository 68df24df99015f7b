package org.rpx.agent.tier2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rpx.agent.tier1.OpGroup;

/** A GPU of 10 TFLOP/s (fp32), 40 Top/s (int8) and 1000 GB/s. */
class OpRooflineTest {
  private static final GpuTable.Row GPU =
      new GpuTable.Row("G", Map.of("fp32", 10.0, "int8", 40.0), 1000, null, null, "");

  private static OpGroup op(String name, String dtype, Long flops, Long bytes) {
    return new OpGroup(name, dtype, 1, flops, bytes);
  }

  @Test
  void takesTheLargerTimeOfEachOp() {
    // conv: 1e10 FLOPs are 1 ms, 1e8 bytes 0.1 ms. relu: 5e8 bytes are 0.5 ms. linear: 2e9 integer
    // operations are 0.05 ms, 1e8 bytes 0.1 ms.
    OpRoofline found =
        OpRoofline.of(
                List.of(
                    op("conv", "float32", 10_000_000_000L, 100_000_000L),
                    op("relu", "float32", 0L, 500_000_000L),
                    op("linear", "int8", 2_000_000_000L, 100_000_000L)),
                GPU)
            .orElseThrow();

    assertThat(found.totalMs()).isCloseTo(1.6, within(1e-12));
    assertThat(found.shareByOp().keySet()).containsExactly("conv", "relu", "linear");
    assertThat(found.shareByOp().get("conv")).isCloseTo(1 / 1.6, within(1e-12));
    assertThat(found.shareByOp().values().stream().mapToDouble(s -> s).sum())
        .isCloseTo(1, within(1e-12));
  }

  @Test
  void isUnknownWithoutAPeakForAProductsType() {
    assertThat(OpRoofline.of(List.of(op("conv", "bfloat16", 1L, 1L)), GPU)).isEmpty();
    assertThat(OpRoofline.of(List.of(op("conv", null, 1L, 1L)), GPU)).isEmpty();
    assertThat(OpRoofline.of(List.of(op("relu", "bfloat16", 0L, 1L)), GPU)).isPresent();
  }

  @Test
  void countsTheBytesOfAnUnknownOp() {
    assertThat(OpRoofline.of(List.of(op("my::op", null, null, 1_000_000L)), GPU).orElseThrow())
        .isEqualTo(new OpRoofline(0.001, Map.of("my::op", 1.0)));
    assertThat(OpRoofline.of(List.of(op("my::op", null, null, null)), GPU)).isEmpty();
  }

  @Test
  void nothingTakesNoTime() {
    assertThat(OpRoofline.of(List.of(), GPU).orElseThrow()).isEqualTo(new OpRoofline(0, Map.of()));
    assertThat(
            OpRoofline.of(List.of(op("view", "float32", 0L, 0L), op("a", "float32", 0L, 1L)), GPU)
                .orElseThrow()
                .shareByOp())
        .containsExactly(entry("a", 1.0));
  }
}
