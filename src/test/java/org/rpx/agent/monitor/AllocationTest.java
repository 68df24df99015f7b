package org.rpx.agent.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocationTest {
  private static final int CYCLES = 100_000;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void aCycleAllocatesNothing(@TempDir Path folder) {
    try (LatencyMonitor monitor =
        LatencyMonitor.named("flat")
            .period(Duration.ofMillis(1))
            .deadline(Duration.ofNanos(100))
            .stages("camera", "infer", "act")
            .blackBox(folder, 64)
            .build()) {
      write(monitor);
      long before = threads.getCurrentThreadAllocatedBytes();
      write(monitor);
      long after = threads.getCurrentThreadAllocatedBytes();
      assertThat(after - before).isZero();
      assertThat(monitor.snapshot().sinceStart().whole().count()).isEqualTo(4L * CYCLES);
    }
  }

  /** Right and wrong use alike. */
  private static void write(LatencyMonitor monitor) {
    for (int i = 0; i < CYCLES; i++) {
      long cycle = monitor.begin();
      monitor.mark(0);
      monitor.mark(1);
      monitor.mark(1);
      monitor.device(cycle, i);
      monitor.end(cycle);
      monitor.end(cycle);
      monitor.record(i);
    }
  }

  /** So that the zero above says something. */
  @Test
  void anAllocationWouldBeSeen() {
    long before = threads.getCurrentThreadAllocatedBytes();
    byte[] some = new byte[1000];
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isGreaterThan(some.length);
  }
}
