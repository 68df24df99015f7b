package org.rpx.agent.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a kill -9 leaves. Ten kills each; {@code -Drpx.kills=100} for more. */
class KillTest {
  private static final int KILLS = Integer.getInteger("rpx.kills", 10);
  @TempDir private Path folder;

  @Test
  void atAKilohertz() throws Exception {
    kills(1_000_000);
  }

  /** So fast that kills do fall into the middle of a record. */
  @Test
  void atFullSpeed() throws Exception {
    kills(0);
  }

  private void kills(long pause) throws Exception {
    Random random = new Random(pause + 3);
    for (int i = 0; i < KILLS; i++) {
      Path each = Files.createDirectory(folder.resolve("kill-" + i));
      long reached = killed(each, pause, random);
      BlackBoxFile file = BlackBoxFile.read(each.resolve("rpx-killed.ring"));
      assertThat(file.alive()).isFalse();
      assertThat(file.closed()).isFalse();
      assertThat(file.torn()).isLessThanOrEqualTo(1);
      List<Cycle> cycles = file.cycles();
      long last = cycles.get(cycles.size() - 1).number();
      // "reached" was said after its end: a later one may be whole already, none is missing.
      assertThat(last).isBetween(reached, reached + 1);
      assertThat(cycles.size() + file.torn()).isEqualTo((int) Math.min(1024, last + file.torn()));
      for (int c = 1; c < cycles.size(); c++) {
        assertThat(cycles.get(c).number()).isEqualTo(cycles.get(c - 1).number() + 1);
      }
    }
  }

  private static long killed(Path folder, long pause, Random random) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                folder.toString(),
                Long.toString(pause))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    try {
      for (int i = 0; progress(folder) < 20; i++) {
        assertThat(process.isAlive()).as(Files.readString(folder.resolve("log"))).isTrue();
        assertThat(i).as("20 cycles within a minute").isLessThan(6000);
        Thread.sleep(10);
      }
      Thread.sleep(random.nextInt(60), random.nextInt(1_000_000));
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isEqualTo(128 + 9);
    return progress(folder);
  }

  private static long progress(Path folder) throws IOException {
    Path file = folder.resolve("progress");
    if (!Files.exists(file) || Files.size(file) < 8) return 0;
    return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
