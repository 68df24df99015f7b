package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.Simulator.Count;
import org.rpx.agent.Simulator.Setting;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeException.Code;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.measure.DeviceTimes;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.JsonReport;
import org.rpx.agent.report.Warning;
import org.rpx.agent.trace.InputSpec;

/**
 * The whole path on the simulated accelerator. tied.pt is Linear(16,16), ReLU, and the same linear
 * layer again: three kernels (addmm, relu, addmm).
 */
class DeviceTest {
  private static final Path TIED = Path.of("src/test/resources/models/tied.pt");
  private static final int KERNELS = 3;
  // A build with CUDA says what its driver, or the lack of one, answered.
  private static final String NO_CUDA =
      Files.exists(Path.of(System.getProperty("rpx.native"), "lib", "libtorch_cuda.so"))
          ? "no CUDA: .+: (install what this LibTorch was built with|check its driver),"
              + " or use --device cpu"
          : "no CUDA: this LibTorch was built without it; name one that has it with --libtorch,"
              + " or use --device cpu";
  // The allocator's blocks are multiples of 512 bytes: weight 16*16*4, bias 16*4, x and y 4*16*4.
  private static final long WEIGHTS = 1024 + 512;
  private static final long INPUT = 512;
  private static final long ACTIVATION = 512;

  @TempDir Path folder;

  @BeforeEach
  void asNew() {
    Simulator.reset();
  }

  static Plan plan(Plan base, String... inputs) {
    return base.withDevice("sim")
        .withInputs(Stream.of(inputs).map(InputSpec::parse).toList())
        .withNativeCode(Simulator.CODE, null);
  }

  private static Plan timed(int iterations) {
    return plan(Plan.defaults().withWarmup(2).withIterations(iterations), "4x16");
  }

  private static EfficiencyReport profile(Plan plan) {
    return Rpx.profile(ModelSource.parse(TIED.toString()), plan);
  }

  private static List<Warning.Code> codes(EfficiencyReport report) {
    return report.warnings().stream().map(Warning::code).toList();
  }

  @Test
  void eventsMeasureTheKernels() throws IOException {
    long kernelNs = 5_000_000;
    Simulator.set(Setting.KERNEL_NS, kernelNs);
    Simulator.set(Setting.PINNED_NS, 4_000_000);
    Simulator.set(Setting.PAGEABLE_NS, 16_000_000);

    EfficiencyReport report = profile(timed(20));

    Measurement tier3 = report.tier3();
    DeviceTimes times = tier3.deviceTimes();
    double forwardMs = KERNELS * kernelNs / 1e6;
    assertThat(tier3.device()).isEqualTo("sim:0");
    assertThat(tier3.statistics().percentile(50) / 1e6).isEqualTo(forwardMs, within(0.01));
    assertThat(tier3.statistics().min() / 1e6).isGreaterThanOrEqualTo(forwardMs - 0.001);
    assertThat(report.metadata().latencyP50Ms()).isEqualTo(forwardMs, within(0.01));
    assertThat(times.noEvents()).isNull();
    assertThat(times.enqueueNs()).hasSize(20);
    assertThat(times.enqueueMs(50)).isLessThan(forwardMs);
    assertThat(times.wallMs(50)).isBetween(forwardMs, 3 * forwardMs);
    assertThat(times.floorMs()).isLessThan(kernelNs / 1e6);
    assertThat(times.toDevice().bytes()).isEqualTo(4 * 16 * 4);
    assertThat(times.toDevice().pinnedMs()).isBetween(4.0, 8.0);
    assertThat(times.toDevice().pageableMs()).isBetween(16.0, 32.0);
    assertThat(times.fromDevice().bytes()).isEqualTo(4 * 16 * 4);
    assertThat(times.fromDevice().pinnedMs()).isBetween(4.0, 8.0);
    assertThat(times.fromDevice().pageableMs()).isBetween(16.0, 32.0);
    assertThat(codes(report)).doesNotContain(Warning.Code.HOST_BOUND);
    assertThat(again(report)).isEqualTo(json(report));
  }

  private static String json(EfficiencyReport report) throws IOException {
    StringWriter out = new StringWriter();
    JsonReport.write(report, out);
    return out.toString();
  }

  private String again(EfficiencyReport report) throws IOException {
    Path file = Files.writeString(folder.resolve("report.json"), json(report));
    return json(JsonReport.read(file));
  }

  @Test
  void aDeviceThatWaitsForTheHostIsSaid() {
    EfficiencyReport report = profile(timed(20));

    assertThat(codes(report)).contains(Warning.Code.HOST_BOUND);
  }

  @Test
  void peaksAreTheAllocatorsByHand() {
    Measurement.DevicePeak peak = profile(timed(5)).tier3().peak().device();

    // A layer's input and output are there at once. Before the peak was reset a forward ran beside
    // the first run's outputs: that block stays reserved.
    long allocated = WEIGHTS + INPUT + 2 * ACTIVATION;
    assertThat(peak.allocatedMb()).isEqualTo(allocated / 1048576.0);
    assertThat(peak.reservedMb()).isEqualTo((allocated + ACTIVATION) / 1048576.0);
    assertThat(peak.usedMb()).isEqualTo(peak.reservedMb());
    assertThat(peak.totalMb()).isEqualTo(1024.0);
    assertThat(peak.sampled()).isFalse();
    assertThat(Simulator.read(Count.ALLOCATED)).isZero();
    assertThat(Simulator.read(Count.RESERVED)).isZero();
  }

  @Test
  void movesOnceAndWaitsOnce() {
    Simulator.set(Setting.KERNEL_NS, 100_000);
    profile(timed(1));
    long before = Simulator.read(Count.TO_DEVICE);
    try (NativeSession session = new NativeSession(TIED, "sim:0")) {
      session.inputs(List.of(InputSpec.tensor("float32", 4, 16)), 0);
      assertThat(Simulator.read(Count.TO_DEVICE) - before).isEqualTo(3); // weight, bias, x
      session.run();
      long waits = Simulator.read(Count.SYNCHRONISED);
      long kernels = Simulator.read(Count.KERNELS);
      assertThat(session.timeByEvents(400, Long.MAX_VALUE, null)[1]).hasSize(400);
      assertThat(Simulator.read(Count.SYNCHRONISED) - waits).isEqualTo(1);
      assertThat(Simulator.read(Count.KERNELS) - kernels).isEqualTo(400 * KERNELS);
      assertThat(Simulator.read(Count.TO_DEVICE) - before).isEqualTo(3);
      assertThat(Simulator.read(Count.TO_HOST)).isNotNegative();
    }
  }

  @Test
  void precisionIsTheDevices() {
    EfficiencyReport report = profile(timed(5).withPrecision("fp16"));

    assertThat(report.tier1().precision()).isEqualTo("fp16");
    assertThat(report.tier2()).isNotEmpty().allMatch(b -> b.precision().equals("fp16"));
    // 512 bytes of weight, 32 of bias, 128 of each activation.
    assertThat(report.tier3().peak().device().allocatedMb()).isEqualTo(5 * 512 / 1048576.0);
  }

  @Test
  void autoTakesTheAccelerator() {
    assertThat(profile(timed(2)).tier3().device()).isEqualTo("sim:0");
    assertThat(profile(timed(2).withDevice("auto")).tier3().device()).isEqualTo("sim:0");
  }

  @Test
  void aMissingDeviceSaysWhy() {
    profile(timed(1));
    for (String device : List.of("cuda", "sim:1", "toaster")) {
      NativeException e =
          catchThrowableOfType(NativeException.class, () -> profile(timed(1).withDevice(device)));
      assertThat(e.code()).isEqualTo(Code.DEVICE);
      assertThat(e.getMessage())
          .matches(
              switch (device) {
                case "cuda" -> NO_CUDA;
                case "sim:1" -> "no sim:1: there is only 1, counted from 0";
                default -> "no device \"toaster\" \\(--device\\): this LibTorch has cpu, sim";
              });
    }
    assertThat(LibTorch.device("cpu").isCpu()).isTrue();
  }
}
