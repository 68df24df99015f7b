package org.rpx.agent.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CycleEventTest {
  @TempDir private Path folder;

  private final LatencyMonitor monitor =
      LatencyMonitor.named("flown").deadline(Duration.ofMillis(5)).stages("look", "leap").build();

  @Test
  void cyclesAreInARecordingWhileThereIsOne() throws Exception {
    cycle(0, 0);
    List<RecordedEvent> events;
    try (Recording recording = new Recording()) {
      recording.enable("rpx.Cycle");
      recording.start();
      cycle(0, 0);
      cycle(0, 10);
      recording.stop();
      cycle(0, 0);
      events = read(recording);
    }
    assertThat(events).hasSize(2);
    RecordedEvent slow = events.get(1);
    assertThat(slow.getString("monitor")).isEqualTo("flown");
    assertThat(slow.getLong("cycle")).isEqualTo(3);
    assertThat(slow.getBoolean("missed")).isTrue();
    assertThat(slow.getString("slowestStage")).isEqualTo("leap");
    assertThat(slow.getLong("slowest")).isGreaterThanOrEqualTo(10_000_000);
    assertThat(slow.getDuration().toNanos()).isGreaterThanOrEqualTo(10_000_000);
    assertThat(slow.getLong("lateness")).isEqualTo(Long.MIN_VALUE);
    assertThat(slow.getLong("device")).isEqualTo(Long.MIN_VALUE);
    assertThat(events.get(0).getLong("cycle")).isEqualTo(2);
    // Each has a duration of its own, though one object serves them all.
    assertThat(events.get(0).getEndTime()).isBeforeOrEqualTo(slow.getStartTime());
  }

  @Test
  void recordingAllocatesNothingInTheLoopEither() throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Recording recording = new Recording()) {
      recording.enable("rpx.Cycle");
      recording.start();
      for (int i = 0; i < 20_000; i++) cycle(0, 0);
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 20_000; i++) cycle(0, 0);
      long each = (threads.getCurrentThreadAllocatedBytes() - before) / 20_000;
      assertThat(each).isZero();
      recording.stop();
    }
  }

  private void cycle(long lookMs, long leapMs) throws InterruptedException {
    long cycle = monitor.begin();
    if (lookMs > 0) Thread.sleep(lookMs);
    monitor.mark(0);
    if (leapMs > 0) Thread.sleep(leapMs);
    monitor.end(cycle);
  }

  private List<RecordedEvent> read(Recording recording) throws IOException {
    Path file = folder.resolve("flight.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(e -> e.getEventType().getName().equals("rpx.Cycle"))
        .sorted((a, b) -> Long.compare(a.getLong("cycle"), b.getLong("cycle")))
        .toList();
  }
}
