package org.rpx.agent.monitor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Where things lie in a ring file, version 1 (docs/blackbox.md). Little-endian throughout. */
final class Ring {
  static final long MAGIC = 0x474E_4952_5F58_5052L; // "RPX_RING"
  static final int VERSION = 1;

  /** A time that is not known. */
  static final long NONE = Long.MIN_VALUE;

  // The head, in bytes.
  static final int HEAD = 4096;
  static final int AT_VERSION = 8;
  static final int AT_CRC = 12;
  static final int AT_RECORD = 16;
  static final int AT_CAPACITY = 20;
  static final int AT_STAGES = 24;
  static final int AT_PERIOD = 32;
  static final int AT_DEADLINE = 40;
  static final int AT_STARTED_S = 48;
  static final int AT_STARTED_NS = 56;
  static final int AT_PID = 64;
  static final int AT_PID_STARTED_MS = 72;
  static final int AT_NAMES = 80;

  /** 1 once closed; the one word of the head that changes, outside of its checksum. */
  static final int AT_CLOSED = HEAD - 8;

  // A record, in words of 8 bytes; the stages' ends follow.
  static final int NUMBER = 0;
  static final int CHECK = 1;
  static final int BEGIN = 2;
  static final int DURATION = 3;
  static final int LATENESS = 4;
  static final int DEVICE = 5;
  static final int MISSES = 6;
  static final int SKIPPED = 7;
  static final int MISS_RUN = 8;
  static final int STAGES = 9;

  static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Ring() {}

  static int recordBytes(int stages) {
    return 8 * (STAGES + stages);
  }

  static long fileBytes(int stages, int cycles) {
    return HEAD + (long) recordBytes(stages) * cycles;
  }

  /** A word's part of the checksum; the parts are added. Independent of each other, so quick. */
  static long part(int word, long value) {
    long mixed = (value ^ (word * 0xD1B5_4A32_D192_ED03L)) * 0x9E37_79B9_7F4A_7C15L;
    return mixed ^ (mixed >>> 32);
  }

  static long word(ByteBuffer ring, int record, int word) {
    return (long) LONG.get(ring, record + 8 * word);
  }

  /** The checksum of a record as it stands. */
  static long check(ByteBuffer ring, int record, int stages) {
    long sum = part(NUMBER, word(ring, record, NUMBER));
    for (int i = BEGIN; i < STAGES + stages; i++) sum += part(i, word(ring, record, i));
    return sum;
  }
}
