package org.rpx.agent.monitor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * What a black box held at one moment, of a process that runs or of one that is gone.
 *
 * @param periodNanos null where none was given
 * @param deadlineNanos null where none was given
 * @param started when the monitor was built
 * @param pid the process that wrote it
 * @param alive whether that one still runs
 * @param closed whether the monitor was closed
 * @param capacity how many cycles it can hold
 * @param cycles in their order; a number that is missing was torn, or overwritten while it was read
 * @param torn records that are not whole: one where the writer was killed in the middle, and what
 *     was damaged
 */
public record BlackBoxFile(
    Path path,
    String name,
    List<String> stages,
    Long periodNanos,
    Long deadlineNanos,
    Instant started,
    long pid,
    boolean alive,
    boolean closed,
    int capacity,
    List<Cycle> cycles,
    int torn) {

  /**
   * Reads a ring file. It is copied, not mapped: a writer isn't disturbed, and a file that shrinks
   * meanwhile is an error and no crash.
   *
   * @throws BlackBoxException one line, for whatever is wrong with it
   */
  public static BlackBoxFile read(Path path) throws BlackBoxException {
    try {
      return decode(path, content(path));
    } catch (BlackBoxException e) {
      throw new BlackBoxException(path + " " + e.getMessage());
    } catch (NoSuchFileException e) {
      throw new BlackBoxException(path + " is not there: look for rpx-*.ring");
    } catch (IOException e) {
      throw new BlackBoxException(path + " cannot be read: " + e.getMessage());
    }
  }

  /** Figures of the cycles that are here; percentiles are exact. */
  public LatencyFigures whole() {
    return LatencyFigures.of(cycles.stream().mapToLong(Cycle::durationNanos));
  }

  /** Figures of a stage, of the cycles that are here. */
  public LatencyFigures stage(int stage) {
    return figures(c -> c.stageNanos(stage));
  }

  /** Figures of begin after release, of the cycles that are here. */
  public LatencyFigures lateness() {
    return figures(Cycle::latenessNanos);
  }

  /** Figures of the device times that are here. */
  public LatencyFigures device() {
    return figures(Cycle::deviceNanos);
  }

  private LatencyFigures figures(Function<Cycle, Long> figure) {
    return LatencyFigures.of(
        cycles.stream().map(figure).filter(Objects::nonNull).mapToLong(v -> v));
  }

  private static ByteBuffer content(Path path) throws IOException {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new BlackBoxException("is no file: name one like rpx-NAME.ring");
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer head = fill(channel, ByteBuffer.allocate(Ring.HEAD));
      RingHead read = RingHead.decode(head);
      // Not before the head is known to be one of ours: its size is what is allocated.
      long bytes = Ring.fileBytes(read.stages().size(), read.capacity());
      if (channel.size() != bytes) {
        throw new BlackBoxException(
            "has " + channel.size() + " bytes, and its head says " + bytes + ": copy it anew");
      }
      ByteBuffer all = ByteBuffer.allocate((int) bytes).put(head);
      return fill(channel, all).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  private static ByteBuffer fill(FileChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new BlackBoxException(
            "ends after " + channel.size() + " bytes: it is no whole black box");
      }
    }
    return buffer.flip();
  }

  /** Reads a whole ring. */
  static BlackBoxFile decode(Path path, ByteBuffer ring) throws BlackBoxException {
    RingHead head = RingHead.decode(ring);
    int stages = head.stages().size();
    int recordBytes = Ring.recordBytes(stages);
    List<Cycle> cycles = new ArrayList<>();
    int torn = 0;
    for (int slot = 0; slot < head.capacity(); slot++) {
      int at = Ring.HEAD + slot * recordBytes;
      if (whole(ring, at, slot, head.capacity(), stages)) cycles.add(cycle(ring, at, stages));
      else if (!empty(ring, at, stages)) torn++;
    }
    cycles.sort(Comparator.comparingLong(Cycle::number));
    return new BlackBoxFile(
        path,
        head.name(),
        head.stages(),
        head.period() == 0 ? null : head.period(),
        head.deadline() == 0 ? null : head.deadline(),
        head.started(),
        head.pid(),
        head.alive(),
        head.closed(),
        head.capacity(),
        Collections.unmodifiableList(cycles),
        torn);
  }

  private static boolean whole(ByteBuffer ring, int at, int slot, int capacity, int stages) {
    long number = Ring.word(ring, at, Ring.NUMBER);
    return number > 0
        && (number - 1) % capacity == slot
        && Ring.word(ring, at, Ring.CHECK) == Ring.check(ring, at, stages);
  }

  private static boolean empty(ByteBuffer ring, int at, int stages) {
    for (int i = 0; i < Ring.STAGES + stages; i++) if (Ring.word(ring, at, i) != 0) return false;
    return true;
  }

  private static Cycle cycle(ByteBuffer ring, int at, int stages) {
    Long[] ends = new Long[stages];
    for (int i = 0; i < stages; i++) ends[i] = known(Ring.word(ring, at, Ring.STAGES + i));
    return new Cycle(
        Ring.word(ring, at, Ring.NUMBER),
        known(Ring.word(ring, at, Ring.BEGIN)),
        Ring.word(ring, at, Ring.DURATION),
        known(Ring.word(ring, at, Ring.LATENESS)),
        known(Ring.word(ring, at, Ring.DEVICE)),
        Ring.word(ring, at, Ring.MISSES),
        Ring.word(ring, at, Ring.SKIPPED),
        Ring.word(ring, at, Ring.MISS_RUN),
        Collections.unmodifiableList(Arrays.asList(ends)));
  }

  private static Long known(long value) {
    return value == Ring.NONE ? null : value;
  }
}
