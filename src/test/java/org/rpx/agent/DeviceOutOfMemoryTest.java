package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.Simulator.Count;
import org.rpx.agent.Simulator.Failure;
import org.rpx.agent.Simulator.Setting;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeException.Code;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;
import org.rpx.agent.trace.InputSpec;

/**
 * A device without room, at each step. tied.pt holds 1088 bytes of weights, in blocks of 1024 and
 * 512; x, and each activation, is 256 bytes in a block of 512.
 */
class DeviceOutOfMemoryTest {
  private static final ModelSource TIED = ModelSource.parse("src/test/resources/models/tied.pt");
  private static final long WEIGHTS = 1024 + 512;
  private static final long BLOCK = 512;
  private static final long FLOPS = 2 * 2 * 4 * 16 * 16;

  @BeforeEach
  void asNew() {
    Simulator.reset();
  }

  /** Whatever failed, the device serves the next run of the same process. */
  @AfterEach
  void isUsable() {
    Simulator.reset();
    assertThat(Simulator.read(Count.ALLOCATED)).isZero();
    assertThat(Simulator.read(Count.RESERVED)).isZero();
    assertThat(Rpx.profile(TIED, timed()).tier3().samples().count()).isEqualTo(3);
  }

  private static Plan timed() {
    return DeviceTest.plan(Plan.defaults().withWarmup(1).withIterations(3), "4x16");
  }

  private static Plan counted() {
    return DeviceTest.plan(Plan.counting(), "4x16");
  }

  private static NativeException fails(Plan plan, Watch watch) {
    NativeException e =
        catchThrowableOfType(NativeException.class, () -> Rpx.profile(TIED, plan, watch));
    assertThat(e).isNotNull();
    return e;
  }

  /** At loading, at the inputs, in the first forward. */
  @ParameterizedTest
  @ValueSource(longs = {1024, WEIGHTS, WEIGHTS + BLOCK, WEIGHTS + 2 * BLOCK})
  void whatDoesNotFitIsNotTimed(long limit) {
    Simulator.set(Setting.LIMIT, limit);

    NativeException e = fails(timed(), Watch.NONE);

    assertThat(e.code()).isEqualTo(Code.OUT_OF_MEMORY);
    assertThat(e.getMessage())
        .contains("needs 1.600 kB (weights 1.088 kB, activations 512 B) on sim")
        .contains("Device 0 has a total capacity of " + limit + " bytes of which")
        .contains("use a smaller input, batch or precision")
        .doesNotContain("\n");
  }

  /** The same steps of a count end on the CPU, with the same count. */
  @ParameterizedTest
  @ValueSource(longs = {1024, WEIGHTS, WEIGHTS + BLOCK, WEIGHTS + 2 * BLOCK})
  void whatDoesNotFitIsCountedOnTheCpu(long limit) {
    Simulator.set(Setting.LIMIT, limit);

    EfficiencyReport report = Rpx.profile(TIED, counted());

    assertThat(report.tier1().flops()).isEqualTo(FLOPS);
    assertThat(report.warnings())
        .anySatisfy(
            w -> {
              assertThat(w.code()).isEqualTo(Warning.Code.COUNTED_ON_CPU);
              assertThat(w.message()).contains("SIM out of memory");
            });
  }

  /** Room for a forward, and not for one beside the first one's outputs: as the count needs it. */
  @Test
  void aCountWithoutRoomIsMadeOnTheCpuAndTheRestMeasured() {
    Simulator.set(Setting.LIMIT, WEIGHTS + 3 * BLOCK);

    EfficiencyReport report = Rpx.profile(TIED, timed());

    assertThat(report.tier1().flops()).isEqualTo(FLOPS);
    assertThat(report.tier3().samples().count()).isEqualTo(3);
    assertThat(report.tier3().device()).isEqualTo("sim:0");
    assertThat(report.warnings()).extracting(Warning::code).contains(Warning.Code.COUNTED_ON_CPU);
  }

  /** In the timed loop, as the allocator says it and as Jetson's asserts. */
  @ParameterizedTest
  @EnumSource(names = {"ASSERT", "OUT_OF_MEMORY"})
  void theTimedLoopRunsOut(Failure how) {
    Watch watch =
        new Watch() {
          @Override
          public void timing(LongSupplier done, int of, long limitNs) {
            Simulator.fail(how, 5);
          }
        };

    NativeException e = fails(timed(), watch);

    assertThat(e.code()).isEqualTo(Code.OUT_OF_MEMORY);
    assertThat(e.getMessage()).contains("needs 1.600 kB");
  }

  @Test
  void aFailedKernelIsTheDevicesFault() {
    Watch watch =
        new Watch() {
          @Override
          public void timing(LongSupplier done, int of, long limitNs) {
            Simulator.fail(Failure.LAUNCH, 5);
          }
        };

    NativeException e = fails(timed(), watch);

    assertThat(e.code()).isEqualTo(Code.DEVICE);
    assertThat(e.getMessage()).contains("unspecified launch failure");
  }

  /** On the CPU a tensor is refused before it is touched, and only while that is asked for. */
  @Test
  void theHostsRoomIsAskedFor() {
    List<InputSpec> large = List.of(InputSpec.tensor("float32", 65536, 16, 16)); // 64 MiB
    try (NativeSession session =
        new NativeSession(Path.of("src/test/resources/models/identity.pt"), "cpu")) {
      LibTorch.hostRoom(16L << 20);
      NativeException e =
          catchThrowableOfType(NativeException.class, () -> session.inputs(large, 0));
      assertThat(e.code()).isEqualTo(Code.OUT_OF_MEMORY);
      assertThat(e.getMessage()).contains("a tensor of 67108864 bytes is wanted");
      LibTorch.hostRoom(null);
      session.inputs(large, 0);
      session.run();
    } finally {
      LibTorch.hostRoom(null);
    }
  }
}
