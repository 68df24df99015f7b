// SPDX-License-Identifier: Apache-2.0
package org.rpx.agent.monitor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What a cycle costs the loop; bench/monitor.sh runs it. A sample is the time of a burst of calls,
 * short enough that most are not interrupted: their median holds on a busy machine too.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(MonitorCost.BURST)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MonitorCost {
  static final int BURST = 500;

  private LatencyMonitor plain;
  private LatencyMonitor boxed;
  private Path folder;
  private long value;

  @Setup
  public void open() throws Exception {
    folder = Files.createTempDirectory(MonitorBuilder.ramFolder(), "rpx-bench");
    plain = settings("plain").build();
    boxed = settings("boxed").blackBox(folder, 4096).build();
  }

  private static MonitorBuilder settings(String name) {
    return LatencyMonitor.named(name)
        .period(Duration.ofMillis(33))
        .deadline(Duration.ofMillis(30))
        .stages("camera", "infer", "act");
  }

  @TearDown
  public void close() throws Exception {
    if (boxed.snapshot().blackBox().problem() != null) {
      throw new IllegalStateException(boxed.snapshot().blackBox().problem());
    }
    boxed.close();
    try (var files = Files.list(folder)) {
      for (Path each : files.toList()) Files.delete(each);
    }
    Files.delete(folder);
  }

  @Benchmark
  public void empty(Blackhole hole) {
    for (int i = 0; i < BURST; i++) hole.consume(i);
  }

  @Benchmark
  public void oneClock(Blackhole hole) {
    for (int i = 0; i < BURST; i++) hole.consume(System.nanoTime());
  }

  @Benchmark
  public void fiveClocks(Blackhole hole) {
    for (int i = 0; i < BURST; i++) {
      hole.consume(System.nanoTime());
      hole.consume(System.nanoTime());
      hole.consume(System.nanoTime());
      hole.consume(System.nanoTime());
      hole.consume(System.nanoTime());
    }
  }

  @Benchmark
  public void cycle() {
    for (int i = 0; i < BURST; i++) cycle(plain);
  }

  @Benchmark
  public void cycleWithBlackBox() {
    for (int i = 0; i < BURST; i++) cycle(boxed);
  }

  private static void cycle(LatencyMonitor monitor) {
    long cycle = monitor.begin();
    monitor.mark(0);
    monitor.mark(1);
    monitor.mark(2);
    monitor.end(cycle);
  }

  @Benchmark
  public void record() {
    for (int i = 0; i < BURST; i++) plain.record(next());
  }

  @Benchmark
  public void recordWithBlackBox() {
    for (int i = 0; i < BURST; i++) boxed.record(next());
  }

  /** 5 to 7 ms, never the same bucket twice in a row. */
  private long next() {
    value = (value + 611_953) & 0x1F_FFFF;
    return 5_000_000 + value;
  }
}
