package org.rpx.agent.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArraySummaryTest {
  @Test
  void leavesNanOut() {
    ByteBuffer b = buffer(16).putFloat(1).putFloat(Float.NaN).putFloat(-2).putFloat(4);

    assertThat(of("float32", 4, b)).isEqualTo(new ArraySummary(-2.0, 1.0, 4.0, 1));
    assertThat(of("float32", 1, buffer(4).putFloat(Float.NaN)))
        .isEqualTo(new ArraySummary(null, null, null, 1));
  }

  /** binary16 0x3c00 is 1, 0xc500 is -5, 0x0001 is 2^-24, 0x7c00 is infinite, 0x7e00 is NaN. */
  @Test
  void readsHalves() {
    assertThat(of("float16", 2, halves(0x3c00, 0xc500)))
        .isEqualTo(new ArraySummary(-5.0, -2.0, 1.0, 0));
    assertThat(of("float16", 1, halves(0x0001)).least()).isEqualTo(0x1p-24);
    assertThat(of("float16", 2, halves(0x7c00, 0x7e00)))
        .isEqualTo(
            new ArraySummary(
                Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 1));
    assertThat(of("bfloat16", 2, halves(0x3f80, 0xc040)))
        .isEqualTo(new ArraySummary(-3.0, -1.0, 1.0, 0));
  }

  @Test
  void keepsIntegersExact() {
    ByteBuffer b = buffer(16).putLong(Long.MAX_VALUE - 1).putLong(-3);

    assertThat(of("int64", 2, b).most()).isEqualTo(Long.MAX_VALUE - 1);
    assertThat(of("int64", 2, b).least()).isEqualTo(-3L);
    ByteBuffer bytes = buffer(2).put((byte) 0xff).put((byte) 1);
    assertThat(of("uint8", 2, bytes)).isEqualTo(new ArraySummary(1L, 128.0, 255L, 0));
    assertThat(of("int8", 2, bytes)).isEqualTo(new ArraySummary(-1L, 0.0, 1L, 0));
  }

  @Test
  void saysNothingOfWhatHasNoOrderOrNoElements() {
    assertThat(of("complex64", 1, buffer(8).putLong(0))).isNull();
    assertThat(of("float32", 0, buffer(0))).isEqualTo(new ArraySummary(null, null, null, 0));
    assertThat(of("int32", 0, buffer(0))).isEqualTo(new ArraySummary(null, null, null, 0));
  }

  private static ArraySummary of(String dtype, long elements, ByteBuffer filled) {
    return ArraySummary.of(
        new NamedArray("x", dtype, List.of(elements), filled.duplicate().flip()));
  }

  private static ByteBuffer halves(int... bits) {
    ByteBuffer b = buffer(2 * bits.length);
    for (int each : bits) b.putShort((short) each);
    return b;
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
  }
}
