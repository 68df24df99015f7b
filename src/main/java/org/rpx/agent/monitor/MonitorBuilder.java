package org.rpx.agent.monitor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Describes a {@link LatencyMonitor}. Every setter throws IllegalArgumentException for a value that
 * it cannot take. Memory is 1 MB for each stage and 3 MB besides, all of it taken by {@link
 * #build}.
 */
public final class MonitorBuilder {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");
  private static final int MOST_STAGES = 32;
  private static final int LONGEST_STAGE = 64;
  private static final int FEWEST_CYCLES = 16;
  private static final int MOST_CYCLES = 1 << 20;

  final String name;
  long period;
  long deadline;
  long window = Duration.ofSeconds(10).toNanos();
  List<String> stages = List.of();
  int blackBoxCycles;
  Path blackBoxFolder = ramFolder();
  final List<MachineProbe> probes = new ArrayList<>();

  MonitorBuilder(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "monitor name '" + name + "': use 1 to 64 of A-Z a-z 0-9 . _ - and no dot in front");
    }
    this.name = name;
  }

  /** The loop's period: turns on jitter and skipped cycles. */
  public MonitorBuilder period(Duration period) {
    this.period = positive("period", period);
    return this;
  }

  /** The longest that a cycle may take, from its release where that is given, else its begin. */
  public MonitorBuilder deadline(Duration deadline) {
    this.deadline = positive("deadline", deadline);
    return this;
  }

  /** The names of the stages in their order, at most 32. */
  public MonitorBuilder stages(String... names) {
    List<String> list = List.of(names);
    if (list.size() > MOST_STAGES) {
      throw new IllegalArgumentException(
          list.size() + " stages: a monitor holds at most " + MOST_STAGES);
    }
    for (String each : list) {
      if (each.isBlank()
          || each.length() > LONGEST_STAGE
          || each.codePoints().anyMatch(c -> c < ' ' || c > '~')) {
        throw new IllegalArgumentException(
            "stage name '" + each + "': use 1 to " + LONGEST_STAGE + " printable ASCII characters");
      }
      if (list.indexOf(each) != list.lastIndexOf(each)) {
        throw new IllegalArgumentException("stage name '" + each + "' is used twice: rename one");
      }
    }
    stages = list;
    return this;
  }

  /** How long a window lasts at least, 10 s unless said; a snapshot shows the last full one. */
  public MonitorBuilder window(Duration window) {
    this.window = positive("window", window);
    return this;
  }

  /**
   * Keeps the last 4096 cycles in a file that outlives the process, under /dev/shm where there is
   * one, else in java.io.tmpdir.
   */
  public MonitorBuilder blackBox() {
    return blackBox(ramFolder(), 4096);
  }

  /**
   * Keeps the last cycles in the file {@code rpx-NAME.ring} of a folder; one from an earlier run
   * becomes {@code rpx-NAME.previous.ring}. A daemon thread writes {@code rpx-NAME.miss-N.json}
   * after deadline misses. What goes wrong with the file is said in the snapshot, not thrown.
   *
   * @param cycles 16 to 1,048,576; 72 bytes each and 8 for each stage
   */
  public MonitorBuilder blackBox(Path folder, int cycles) {
    if (cycles < FEWEST_CYCLES || cycles > MOST_CYCLES) {
      throw new IllegalArgumentException(
          cycles + " cycles of black box: use " + FEWEST_CYCLES + " to " + MOST_CYCLES);
    }
    blackBoxFolder = folder.toAbsolutePath();
    blackBoxCycles = cycles;
    return this;
  }

  /** One more source of what the machine did, asked by the black box's thread. */
  public MonitorBuilder probe(MachineProbe probe) {
    probes.add(probe);
    return this;
  }

  /** The monitor, started: its memory is taken, its black box open. */
  public LatencyMonitor build() {
    return new LatencyMonitor(this);
  }

  /** Where black boxes lie unless another folder is named: in RAM, where the platform has it. */
  public static Path ramFolder() {
    Path shared = Path.of("/dev/shm");
    boolean usable = Files.isDirectory(shared) && Files.isWritable(shared);
    return usable ? shared : Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
  }

  private static long positive(String what, Duration duration) {
    if (duration.isNegative() || duration.isZero() || duration.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(
          what + " " + duration + ": use more than 0 and at most a day");
    }
    return duration.toNanos();
  }
}
