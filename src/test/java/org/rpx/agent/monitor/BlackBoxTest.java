package org.rpx.agent.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlackBoxTest {
  @TempDir private Path folder;

  private MonitorBuilder settings() {
    return LatencyMonitor.named("arm")
        .period(Duration.ofNanos(1000))
        .deadline(Duration.ofNanos(100))
        .stages("see", "move")
        .blackBox(folder, 16);
  }

  private BlackBoxFile read() throws BlackBoxException {
    return BlackBoxFile.read(folder.resolve("rpx-arm.ring"));
  }

  /** Begins 1000 ns apart; cycle i takes 2 i + 10, its first stage i. */
  private static void cycles(LatencyMonitor monitor, long origin, int from, int to) {
    for (int i = from; i <= to; i++) {
      long begin = origin + 1000L * i;
      long cycle = monitor.begin(begin);
      monitor.mark(0, begin + i);
      monitor.end(cycle, begin + 2L * i + 10);
    }
  }

  @Test
  void theLastCyclesAreInTheFile() throws IOException {
    Instant before = Instant.now();
    try (LatencyMonitor monitor = settings().build()) {
      long origin = System.nanoTime();
      assertThat(read().cycles()).isEmpty();
      cycles(monitor, origin, 1, 50);
      BlackBoxFile file = read();
      assertThat(file.name()).isEqualTo("arm");
      assertThat(file.stages()).containsExactly("see", "move");
      assertThat(file.periodNanos()).isEqualTo(1000);
      assertThat(file.deadlineNanos()).isEqualTo(100);
      assertThat(file.pid()).isEqualTo(ProcessHandle.current().pid());
      assertThat(file.alive()).isTrue();
      assertThat(file.closed()).isFalse();
      assertThat(file.torn()).isZero();
      assertThat(file.started()).isBetween(before.minusMillis(50), Instant.now());
      assertThat(file.cycles())
          .extracting(Cycle::number)
          .containsExactlyElementsOf(
              IntStream.rangeClosed(35, 50).mapToObj(i -> (long) i).toList());
      Cycle last = file.cycles().get(15);
      assertThat(last.durationNanos()).isEqualTo(110);
      assertThat(last.stageEnds()).containsExactly(50L, 110L);
      assertThat(last.stageNanos(1)).isEqualTo(60);
      assertThat(last.latenessNanos()).isZero();
      assertThat(last.deviceNanos()).isNull();
      // Above 100 ns: cycles 46 to 50.
      assertThat(last.misses()).isEqualTo(5);
      assertThat(last.missRun()).isEqualTo(5);
      assertThat(file.cycles().get(10).missed()).isFalse();
      assertThat(last.beginNanos() - file.cycles().get(0).beginNanos()).isEqualTo(15_000);
    }
    assertThat(read().closed()).isTrue();
  }

  @Test
  void whatIsNotKnownOfACycleIsNull() throws IOException {
    try (LatencyMonitor monitor = settings().build()) {
      monitor.record(70);
      long cycle = monitor.begin(System.nanoTime());
      monitor.end(cycle, System.nanoTime());
      monitor.device(cycle, 42);
      monitor.device(1, 43);
      Cycle recorded = read().cycles().get(0);
      assertThat(recorded)
          .isEqualTo(
              new Cycle(1, null, 70, null, 43L, 0, 0, 0, java.util.Arrays.asList(null, null)));
      assertThat(read().cycles().get(1).deviceNanos()).isEqualTo(42);
      assertThat(read().cycles().get(1).stageNanos(0)).isNull();
      assertThat(read().torn()).isZero();
    }
  }

  @Test
  void aSlotKeepsNothingOfTheCycleBefore() throws IOException {
    try (LatencyMonitor monitor = settings().build()) {
      cycles(monitor, System.nanoTime(), 1, 20);
      monitor.record(70);
      assertThat(read().cycles().get(15))
          .isEqualTo(
              new Cycle(21, null, 70, null, null, 0, 0, 0, java.util.Arrays.asList(null, null)));
      assertThat(read().torn()).isZero();
    }
  }

  @Test
  void aRecordThatIsBeingWrittenIsTorn() throws IOException {
    try (LatencyMonitor monitor = settings().build()) {
      cycles(monitor, System.nanoTime(), 1, 20);
    }
    Path file = folder.resolve("rpx-arm.ring");
    assertThat(file.toFile().setWritable(true)).isTrue();
    // Cycle 20 is in the slot 3; its number comes last, so a kill in between leaves it at 0.
    try (RandomAccessFile ring = new RandomAccessFile(file.toFile(), "rw")) {
      ring.seek(Ring.HEAD + 3 * Ring.recordBytes(2));
      ring.writeLong(0);
    }
    assertThat(read().torn()).isEqualTo(1);
    assertThat(read().cycles()).hasSize(15);
    assertThat(read().cycles().get(14).number()).isEqualTo(19);
  }

  @Test
  void anEarlierRunIsKeptBeside() throws IOException {
    try (LatencyMonitor monitor = settings().build()) {
      cycles(monitor, System.nanoTime(), 1, 3);
    }
    Files.writeString(folder.resolve("rpx-arm.miss-1.json"), "{}");
    try (LatencyMonitor monitor = settings().build()) {
      cycles(monitor, System.nanoTime(), 1, 1);
      assertThat(read().cycles()).hasSize(1);
      assertThat(BlackBoxFile.read(folder.resolve("rpx-arm.previous.ring")).cycles()).hasSize(3);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(p -> p.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "rpx-arm.ring", "rpx-arm.previous.ring", "rpx-arm.previous.miss-1.json");
    }
  }

  @Test
  void twoMonitorsDoNotShareAFile() throws IOException {
    try (LatencyMonitor first = settings().build();
        LatencyMonitor second = settings().build()) {
      cycles(second, 0, 1, 2);
      cycles(first, System.nanoTime(), 1, 3);
      assertThat(read().cycles()).hasSize(3);
      assertThat(first.snapshot().blackBox().recording()).isTrue();
      BlackBoxState refused = second.snapshot().blackBox();
      assertThat(refused.recording()).isFalse();
      assertThat(refused.problem()).contains("rpx-arm.ring", "give this monitor another name");
      assertThat(second.snapshot().sinceStart().whole().count()).isEqualTo(2);
      assertThat(second.snapshot().toString()).contains("not recording", refused.problem());
    }
  }

  @Test
  void anUnwritableTargetStopsNoLoop() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    for (Path target : List.of(folder.resolve("nowhere"), file)) {
      try (LatencyMonitor monitor = settings().blackBox(target, 16).build()) {
        cycles(monitor, 0, 1, 3);
        BlackBoxState state = monitor.snapshot().blackBox();
        assertThat(state.recording()).isFalse();
        assertThat(state.problem()).startsWith("cannot write " + target).doesNotContain("\n");
        assertThat(monitor.snapshot().sinceStart().whole().count()).isEqualTo(3);
      }
    }
  }

  @Test
  void whatIsNoRingIsOneClearLine() throws IOException {
    Path other = Files.writeString(folder.resolve("other"), "x".repeat(5000));
    assertThatThrownBy(() -> BlackBoxFile.read(other))
        .hasMessage(other + " is no black box of rpx-agent: name a file rpx-NAME.ring");
    assertThatThrownBy(() -> BlackBoxFile.read(folder)).hasMessageContaining("is no file");
    assertThatThrownBy(() -> BlackBoxFile.read(folder.resolve("none")))
        .hasMessageContaining("is not there");
    Files.writeString(other, "RPX_RING");
    assertThatThrownBy(() -> BlackBoxFile.read(other)).hasMessageContaining("ends after 8 bytes");
  }

  @Test
  void aLaterLayoutIsNamed() throws IOException {
    settings().build().close();
    Path file = folder.resolve("rpx-arm.ring");
    byte[] bytes = Files.readAllBytes(file);
    bytes[Ring.AT_VERSION] = 2;
    assertThat(file.toFile().setWritable(true)).isTrue();
    Files.write(file, bytes);
    assertThatThrownBy(this::read).hasMessageContaining("has layout 2, not 1");
  }

  /** The layout as documented, read by nothing of ours. */
  @Test
  void theLayoutIsTheDocumentedOne() throws IOException {
    long origin;
    try (LatencyMonitor monitor = settings().build()) {
      origin = System.nanoTime();
      cycles(monitor, origin, 1, 1);
    }
    ByteBuffer ring =
        ByteBuffer.wrap(Files.readAllBytes(folder.resolve("rpx-arm.ring")))
            .order(ByteOrder.LITTLE_ENDIAN);
    assertThat(ring.capacity()).isEqualTo(4096 + 16 * 88);
    assertThat(new String(ring.array(), 0, 8, java.nio.charset.StandardCharsets.US_ASCII))
        .isEqualTo("RPX_RING");
    assertThat(ring.getInt(8)).isEqualTo(1);
    assertThat(ring.getInt(16)).isEqualTo(88);
    assertThat(ring.getInt(20)).isEqualTo(16);
    assertThat(ring.getInt(24)).isEqualTo(2);
    assertThat(ring.getLong(32)).isEqualTo(1000);
    assertThat(ring.getLong(40)).isEqualTo(100);
    assertThat(new String(ring.array(), 80, 14, java.nio.charset.StandardCharsets.US_ASCII))
        .isEqualTo("\3arm\3see\4move\0");
    assertThat(ring.getLong(4088)).isEqualTo(1);
    assertThat(ring.getLong(4096)).isEqualTo(1);
    assertThat(ring.getLong(4096 + 24)).isEqualTo(12);
    assertThat(ring.getLong(4096 + 32)).isZero();
    assertThat(ring.getLong(4096 + 40)).isEqualTo(Long.MIN_VALUE);
    assertThat(ring.getLong(4096 + 72)).isEqualTo(1);
    assertThat(ring.getLong(4096 + 80)).isEqualTo(12);
  }
}
