package org.rpx.agent.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged rings: one clear line, or figures that were written. */
class RingMutationsTest {
  private static final int MUTATIONS = 2000;
  private final Map<Long, Cycle> written = new HashMap<>();

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void everyMutationIsRefusedOrRight(@TempDir Path folder) throws IOException {
    byte[] sound = ring(folder);
    Path file = folder.resolve("mutated.ring");
    int refused = 0;
    int read = 0;
    int torn = 0;
    for (int seed = 0; seed < MUTATIONS; seed++) {
      Files.write(file, mutate(sound, new Random(seed)));
      try {
        BlackBoxFile found = BlackBoxFile.read(file);
        read++;
        torn += found.torn() > 0 ? 1 : 0;
        for (Cycle cycle : found.cycles()) {
          assertThat(cycle).as("seed %d", seed).isEqualTo(written.get(cycle.number()));
        }
        assertThat(found.cycles().size() + found.torn())
            .as("seed %d", seed)
            .isLessThanOrEqualTo(64);
      } catch (BlackBoxException e) {
        refused++;
        assertThat(e.getMessage()).startsWith(file.toString()).doesNotContain("\n", "null");
      }
    }
    // Each way out was taken, so each was tested.
    assertThat(refused).isGreaterThan(MUTATIONS / 10);
    assertThat(read).isGreaterThan(MUTATIONS / 10);
    assertThat(torn).isGreaterThan(MUTATIONS / 10);
  }

  private byte[] ring(Path folder) throws IOException {
    try (LatencyMonitor monitor =
        LatencyMonitor.named("m")
            .deadline(Duration.ofNanos(900))
            .stages("a", "b")
            .blackBox(folder, 64)
            .build()) {
      Random random = new Random(1);
      long now = System.nanoTime();
      for (int i = 0; i < 150; i++) {
        long cycle = monitor.begin(now);
        if (i % 7 != 0) monitor.mark(0, now + random.nextInt(100));
        monitor.end(cycle, now + 100 + random.nextInt(900));
        now += 1000;
      }
      Path path = monitor.blackBox().orElseThrow();
      for (Cycle each : BlackBoxFile.read(path).cycles()) written.put(each.number(), each);
      assertThat(written).hasSize(64);
      return Files.readAllBytes(path);
    }
  }

  private static byte[] mutate(byte[] sound, Random random) {
    byte[] bytes = sound.clone();
    // Half of them in the head's part that is used, or in the records.
    int from = random.nextBoolean() ? 0 : 4096;
    int size = from == 0 ? 128 : bytes.length - 4096;
    int at = from + random.nextInt(size);
    int length = Math.min(1 + random.nextInt(200), bytes.length - at);
    switch (random.nextInt(7)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> random.ints(length).forEach(i -> bytes[at + Math.floorMod(i, length)] = (byte) i);
      case 2 -> Arrays.fill(bytes, at, at + length, (byte) (random.nextBoolean() ? 0 : -1));
      case 3 -> System.arraycopy(sound, random.nextInt(sound.length - length), bytes, at, length);
      case 4 -> {
        return Arrays.copyOf(bytes, random.nextInt(bytes.length + 100));
      }
      case 5 -> {
        // A whole record in another one's place.
        int record = 8 * 11;
        int to = 4096 + record * random.nextInt(64);
        System.arraycopy(sound, 4096 + record * random.nextInt(64), bytes, to, record);
      }
      default -> {
        // Past the checksum: what the head says is wild, and signed.
        ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int field = 16 + 8 * random.nextInt(10);
        long[] wild = {0, -1, 1, 33, 1L << 31, Long.MAX_VALUE, Long.MIN_VALUE, random.nextLong()};
        head.putLong(field, wild[random.nextInt(wild.length)]);
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, 12);
        crc.update(bytes, 16, 4088 - 16);
        head.putInt(12, (int) crc.getValue());
      }
    }
    return bytes;
  }
}
