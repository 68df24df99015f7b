package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rpx.agent.Simulator.Count;
import org.rpx.agent.Simulator.Setting;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeException.Code;
import org.rpx.agent.monitor.LatencyFigures;
import org.rpx.agent.monitor.LatencyMonitor;
import org.rpx.agent.trace.InputSpec;

/**
 * Sessions and device timers on the simulated accelerator. tied.pt has three kernels; a run copies
 * one tensor in and one out.
 */
class DeviceSessionTest {
  private static final Path MODELS = Path.of("src/test/resources/models");
  private static final int KERNELS = 3;
  private static final long KERNEL_NS = 4_000_000;
  private static final long COPY_NS = 1_000_000;
  private static final long PAGEABLE_NS = 50_000_000;
  private static final long RUN_NS = KERNELS * KERNEL_NS + 2 * COPY_NS;

  @BeforeEach
  @AfterEach
  void asNew() {
    Simulator.reset();
  }

  private static Session session(String model, int warmup, String input) {
    return Rpx.session(
        ModelSource.of(MODELS.resolve(model)),
        SessionOptions.of(
                Plan.defaults()
                    .withDevice("sim")
                    .withThreads(1)
                    .withInputs(List.of(InputSpec.parse(input)))
                    .withNativeCode(Simulator.CODE, null))
            .withWarmup(warmup));
  }

  private static void slow() {
    Simulator.set(Setting.KERNEL_NS, KERNEL_NS);
    Simulator.set(Setting.PINNED_NS, COPY_NS);
    Simulator.set(Setting.PAGEABLE_NS, PAGEABLE_NS);
  }

  /** y = W'(relu(Wx + b)) + b with W 1/16 throughout and b 0: the mean of x, if positive. */
  @Test
  void aRunCopiesInAndOutThroughPinnedMemory() {
    try (Session s = session("tied.pt", 1, "2x16")) {
      FloatBuffer in = s.input(0).asFloatBuffer();
      FloatBuffer out = s.output(0).asFloatBuffer();
      for (int i = 0; i < 32; i++) in.put(i, i < 16 ? 3 : 5);
      slow();
      long toDevice = Simulator.read(Count.TO_DEVICE);
      long toHost = Simulator.read(Count.TO_HOST);
      long waits = Simulator.read(Count.SYNCHRONISED);
      long start = System.nanoTime();

      s.run();

      // Through pageable memory it would be longer, and wait twice; run() itself waits for an
      // event.
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(RUN_NS);
      assertThat(Simulator.read(Count.SYNCHRONISED) - waits).isZero();
      assertThat(Simulator.read(Count.TO_DEVICE) - toDevice).isEqualTo(1);
      assertThat(Simulator.read(Count.TO_HOST) - toHost).isEqualTo(1);
      assertThat(out.get(0)).isEqualTo(3);
      assertThat(out.get(31)).isEqualTo(5);
    }
  }

  @Test
  void runAsyncDoesNotWait() {
    try (Session s = session("tied.pt", 1, "2x16")) {
      slow();
      long waits = Simulator.read(Count.SYNCHRONISED);
      long start = System.nanoTime();
      s.runAsync();
      boolean early = s.poll();
      long enqueued = System.nanoTime() - start;
      // Only where the host was faster than the device does the first look prove anything.
      if (enqueued < RUN_NS) assertThat(early).isFalse();
      if (!early) {
        assertThatThrownBy(s::run)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageStartingWith("a runAsync() of this session is under way");
        while (!s.poll()) Thread.onSpinWait();
      }
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(RUN_NS);
      assertThat(Simulator.read(Count.SYNCHRONISED) - waits).isZero();
      assertThat(s.poll()).isTrue();
      s.run();
      s.runAsync();
    } // closed while it is under way
  }

  @Test
  void aDeviceThatFailsIsSaid() {
    try (Session s = session("tied.pt", 1, "2x16")) {
      Simulator.fail(Simulator.Failure.LAUNCH, 2);
      NativeException e = catchThrowableOfType(NativeException.class, s::run);
      assertThat(e.code()).isEqualTo(Code.DEVICE);
      s.run();
    }
  }

  @Test
  void buffersOutliveTheSession() {
    Session s = session("tied.pt", 1, "2x16=1");
    FloatBuffer out = s.output(0).asFloatBuffer();
    s.run();
    s.close();
    s = null;
    System.gc();
    session("tied.pt", 1, "2x16=2").close();
    assertThat(out.get(0)).isEqualTo(1);
  }

  @Test
  void theTimerMeasuresTheDeviceWithoutWaiting() {
    int cycles = 4;
    // So long that what the host does in between, where the queue is empty, is small beside it.
    long kernel = 10 * KERNEL_NS;
    long run = KERNELS * kernel + 2 * COPY_NS;
    LatencyMonitor monitor = LatencyMonitor.named("timed").build();
    try (Session s = session("tied.pt", 1, "2x16");
        DeviceTimer timer = s.deviceTimer(4)) {
      assertThat(timer.unsupported()).isEmpty();
      slow();
      Simulator.set(Setting.KERNEL_NS, kernel);
      long waits = Simulator.read(Count.SYNCHRONISED);
      int collected = 0;
      for (int i = 0; i < cycles; i++) {
        long c = monitor.begin();
        timer.begin();
        s.run();
        timer.end(c);
        monitor.end(c);
        collected += timer.collect(monitor);
      }
      while (collected < cycles) collected += timer.collect(monitor);
      assertThat(Simulator.read(Count.SYNCHRONISED) - waits).isZero();
      assertThat(timer.overruns()).isZero();

      LatencyFigures device = monitor.snapshot().sinceStart().device();
      assertThat(device.count()).isEqualTo(cycles);
      // The minimum is exact.
      assertThat(device.min()).isBetween(run, run + kernel);
      assertThat(device.p50()).isLessThan(run + kernel);
    }
  }

  @Test
  void overrunsAreCountedAndNotWaitedFor() {
    LatencyMonitor monitor = LatencyMonitor.named("overrun").build();
    try (Session s = session("tied.pt", 1, "2x16");
        DeviceTimer timer = s.deviceTimer(2)) {
      for (int i = 0; i < 5; i++) {
        long c = monitor.begin();
        timer.begin();
        timer.end(c);
        monitor.end(c);
      }
      assertThat(timer.overruns()).isEqualTo(3);
      assertThat(timer.collect(monitor)).isEqualTo(2);
      assertThat(timer.collect(monitor)).isZero();
      timer.begin();
      timer.end(monitor.snapshot().sinceStart().whole().count());
      assertThat(timer.overruns()).isEqualTo(3);
      timer.close();
      assertThatThrownBy(timer::begin)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the device timer is closed");
    }
  }

  @Test
  void theCpuHasNoDeviceTimes() {
    LatencyMonitor monitor = LatencyMonitor.named("none").build();
    try (Session s =
            Rpx.session(
                ModelSource.of(MODELS.resolve("identity.pt")),
                SessionOptions.threads(1).withInputs("2").withWarmup(1));
        DeviceTimer timer = s.deviceTimer(2)) {
      assertThat(timer.unsupported())
          .hasValue("the CPU has no timing events: its work is done when run() returns");
      timer.begin();
      timer.end(1);
      assertThat(timer.collect(monitor)).isZero();
      assertThat(monitor.snapshot().sinceStart().device().p50()).isNull();
      assertThatThrownBy(() -> s.deviceTimer(0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("use 1 to 65536");
    }
  }
}
