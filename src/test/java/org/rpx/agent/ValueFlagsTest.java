package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rpx.agent.engine.TensorMemory;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;
import org.rpx.agent.report.Warning.Code;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier2.GpuTable;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.TensorInfo;

/** DENORMALS and BELOW_ROOFLINE, provoked and just not. */
class ValueFlagsTest {
  private static final List<GpuTable.Row> TABLE = GpuTable.reference().rows();
  private static final Path IDENTITY = Path.of("src/test/resources/models/identity.pt");

  /** 2^-126 is the smallest normal float32, 2^-1022 the smallest normal float64. */
  @Test
  void tellsSubnormalFromNormal() {
    ByteBuffer floats = buffer(7 * 4);
    for (float value :
        new float[] {0, -0f, 0x1p-126f, 0x1p-127f, -0x1p-149f, Float.NaN, Float.MIN_NORMAL})
      floats.putFloat(value);
    assertThat(Denormals.count(floats.flip(), 4, 7)).isEqualTo(2);
    ByteBuffer doubles = buffer(4 * 8);
    for (double value : new double[] {0x1p-1022, 0x1p-1023, Double.MIN_VALUE, 1e-39})
      doubles.putDouble(value);
    assertThat(Denormals.count(doubles.flip(), 8, 4)).isEqualTo(2);
    // bfloat16: the upper half of 2^-127 is 0x0040, of 2^-126 0x0080, of -0 0x8000.
    ByteBuffer halves = buffer(3 * 2);
    for (int value : new int[] {0x0040, 0x0080, 0x8000}) halves.putShort((short) value);
    assertThat(Denormals.count(halves.flip(), 2, 3)).isEqualTo(1);
  }

  @Test
  void namesTheTensorAndHowMany() {
    ByteBuffer values = buffer(16);
    for (float value : new float[] {1, 0x1p-130f, 2, 0x1p-140f}) values.putFloat(value);
    Denormals denormals = new Denormals();
    denormals.look("input", List.of(data("x", "float32", values.flip())));
    Warning flag = denormals.flag();
    assertThat(flag.code()).isEqualTo(Code.DENORMALS);
    assertThat(flag.message()).startsWith("input x: 2 of 4 values are subnormal: ");
    assertThat(flag.message()).contains("--input-file");
  }

  /** float16's subnormals are plain float32s, and integers have none. */
  @Test
  void leavesOtherTypesAlone() {
    ByteBuffer ones = buffer(8).putLong(0x0001000100010001L).flip();
    Denormals denormals = new Denormals();
    denormals.look("input", List.of(data("x", "float16", ones), data("y", "int64", ones)));
    assertThat(denormals.flag()).isNull();
  }

  @Test
  void aMeasurementSaysSo() {
    assertThat(codes("2x4=1e-40")).contains(Code.DENORMALS);
    assertThat(codes("2x4=1e-37")).doesNotContain(Code.DENORMALS);
  }

  private static List<Code> codes(String input) {
    Plan plan =
        Plan.defaults().withInputs(List.of(InputSpec.parse(input))).withIterations(5).withWarmup(1);
    EfficiencyReport report = Rpx.profile(ModelSource.parse(IDENTITY.toString()), plan);
    return report.warnings().stream().map(Warning::code).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "NVIDIA H100 80GB HBM3, H100 SXM",
    "NVIDIA H100 PCIe, H100 PCIe",
    "NVIDIA H200, H200 SXM",
    "NVIDIA A100-SXM4-80GB, A100-80GB",
    "Tesla V100-SXM2-16GB, V100 SXM",
    "NVIDIA GeForce RTX 4090, RTX 4090",
    "Tesla T4, T4",
    "NVIDIA L40S, L40S",
    "NVIDIA H100 NVL,",
    "NVIDIA GeForce RTX 4090 Laptop GPU,",
    "NVIDIA A100 80GB PCIe,",
    "NVIDIA GeForce RTX 3090 Ti,"
  })
  void findsTheChipByTheDriversName(String driver, String row) {
    GpuTable.Row found = BelowRoofline.row(driver, TABLE);
    assertThat(found == null ? null : found.name()).isEqualTo(row);
  }

  /**
   * bn_train.pt: 169,344 FLOPs, 19,648 bytes. TF32 on the A100 is 156 TFLOP/s: 1.0855e-6 ms by
   * arithmetic; 19648 / 2.039e9 = 9.636e-6 ms by memory.
   */
  @Test
  void aMedianBelowTheBoundIsWrong() {
    ModelProperties properties =
        Rpx.profile(
                ModelSource.parse("src/test/resources/models/bn_train.pt"),
                Plan.counting().withInputs(List.of(InputSpec.tensor("float32", 2, 3, 16, 16))))
            .tier1();
    String a100 = "NVIDIA A100-SXM4-80GB";
    assertThat(BelowRoofline.of(a100, 9.64e-6, properties, TABLE)).isNull();
    Warning flag = BelowRoofline.of(a100, 9.63e-6, properties, TABLE);
    assertThat(flag.code()).isEqualTo(Code.BELOW_ROOFLINE);
    assertThat(flag.message()).contains("9.636e-06 ms", "A100-80GB", "tf32", "memory");
    assertThat(BelowRoofline.of("NVIDIA H100 NVL", 1e-9, properties, TABLE)).isNull();
    assertThat(BelowRoofline.of(null, 1e-9, properties, TABLE)).isNull();
    assertThat(BelowRoofline.of(a100, null, properties, TABLE)).isNull();
    assertThat(BelowRoofline.of(a100, 1e-9, null, TABLE)).isNull();
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
  }

  private static TensorMemory data(String path, String dtype, ByteBuffer bytes) {
    int width = dtype.endsWith("16") ? 2 : dtype.endsWith("64") ? 8 : 4;
    long count = bytes.remaining() / width;
    return new TensorMemory(
        path,
        new TensorInfo(dtype, width, 0, 0, bytes.remaining(), List.of(count), List.of(1L)),
        bytes,
        null);
  }
}
