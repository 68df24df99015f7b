package org.rpx.agent.monitor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/** The head of a ring file. Nanoseconds; 0 where no period or deadline was given. */
record RingHead(
    String name,
    List<String> stages,
    int capacity,
    long period,
    long deadline,
    Instant started,
    long pid,
    long pidStartedMs,
    boolean closed) {

  /** In the year 9999. */
  private static final long LAST_SECOND = 253_402_300_799L;

  private static final String CONTRADICTION =
      "has a head that contradicts itself: nothing can be read";

  /** The head's bytes, as a ring's first {@link Ring#HEAD}. */
  ByteBuffer encode() {
    ByteBuffer head = ByteBuffer.allocate(Ring.HEAD).order(ByteOrder.LITTLE_ENDIAN);
    head.putLong(0, Ring.MAGIC);
    head.putInt(Ring.AT_VERSION, Ring.VERSION);
    head.putInt(Ring.AT_RECORD, Ring.recordBytes(stages.size()));
    head.putInt(Ring.AT_CAPACITY, capacity);
    head.putInt(Ring.AT_STAGES, stages.size());
    head.putLong(Ring.AT_PERIOD, period);
    head.putLong(Ring.AT_DEADLINE, deadline);
    head.putLong(Ring.AT_STARTED_S, started.getEpochSecond());
    head.putLong(Ring.AT_STARTED_NS, started.getNano());
    head.putLong(Ring.AT_PID, pid);
    head.putLong(Ring.AT_PID_STARTED_MS, pidStartedMs);
    head.position(Ring.AT_NAMES);
    put(head, name);
    for (String stage : stages) put(head, stage);
    head.putInt(Ring.AT_CRC, crc(head));
    return head.clear();
  }

  /**
   * @param head at least {@link Ring#HEAD} bytes
   * @throws BlackBoxException that says why it is none; the file is to be named in front
   */
  static RingHead decode(ByteBuffer head) throws BlackBoxException {
    head = head.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (head.getLong(0) != Ring.MAGIC) {
      throw new BlackBoxException("is no black box of rpx-agent: name a file rpx-NAME.ring");
    }
    int version = head.getInt(Ring.AT_VERSION);
    if (version != Ring.VERSION) {
      throw new BlackBoxException(
          "has layout " + version + ", not " + Ring.VERSION + ": read it with what wrote it");
    }
    if (head.getInt(Ring.AT_CRC) != crc(head)) {
      throw new BlackBoxException("has a damaged head (its checksum differs): nothing can be read");
    }
    int stageCount = head.getInt(Ring.AT_STAGES);
    int capacity = head.getInt(Ring.AT_CAPACITY);
    long seconds = head.getLong(Ring.AT_STARTED_S);
    long nanos = head.getLong(Ring.AT_STARTED_NS);
    if (stageCount < 0
        || stageCount > 32
        || capacity < 1
        || capacity > 1 << 20
        || head.getInt(Ring.AT_RECORD) != Ring.recordBytes(stageCount)
        || head.getLong(Ring.AT_PERIOD) < 0
        || head.getLong(Ring.AT_DEADLINE) < 0
        || seconds < 0
        || seconds > LAST_SECOND
        || nanos < 0
        || nanos > 999_999_999) {
      throw new BlackBoxException(CONTRADICTION);
    }
    head.position(Ring.AT_NAMES);
    String name = text(head);
    List<String> stages = new ArrayList<>();
    for (int i = 0; i < stageCount; i++) stages.add(text(head));
    return new RingHead(
        name,
        List.copyOf(stages),
        capacity,
        head.getLong(Ring.AT_PERIOD),
        head.getLong(Ring.AT_DEADLINE),
        Instant.ofEpochSecond(seconds, nanos),
        head.getLong(Ring.AT_PID),
        head.getLong(Ring.AT_PID_STARTED_MS),
        head.getLong(Ring.AT_CLOSED) == 1);
  }

  /** Whether the process that wrote it still runs, here and not as another one of its number. */
  boolean alive() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        // The start is reckoned from the clock's, which may have been set since.
        .filter(p -> Math.abs(startedMs(p) - pidStartedMs) < 2000)
        .isPresent();
  }

  /** When a process started, milliseconds since 1970; 0 where that is not told. */
  static long startedMs(ProcessHandle process) {
    Optional<Instant> start = process.info().startInstant();
    return start.map(Instant::toEpochMilli).orElse(0L);
  }

  private static void put(ByteBuffer head, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    head.put((byte) bytes.length).put(bytes);
  }

  private static String text(ByteBuffer head) throws BlackBoxException {
    byte[] bytes = new byte[head.get() & 0xFF];
    if (bytes.length > head.remaining()) {
      throw new BlackBoxException(CONTRADICTION);
    }
    head.get(bytes);
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  /** Over all of the head but the checksum and the word that changes. */
  private static int crc(ByteBuffer head) {
    CRC32 crc = new CRC32();
    ByteBuffer part = head.duplicate();
    crc.update(part.limit(Ring.AT_CRC).position(0));
    crc.update(part.limit(Ring.AT_CLOSED).position(Ring.AT_CRC + 4));
    return (int) crc.getValue();
  }
}
