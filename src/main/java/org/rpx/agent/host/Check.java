package org.rpx.agent.host;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One thing that was looked at before anybody measures.
 *
 * @param name what was looked at, as {@code clocks}
 * @param mark how it stands
 * @param finding what is so
 * @param remedy what to do about it; null where there is nothing to do
 */
public record Check(String name, Mark mark, String finding, String remedy) {

  /** How it stands. */
  public enum Mark {
    /** Nothing in the way. */
    OK("ok"),
    /** Figures are right, but less sure or fewer than they could be. */
    WARN("warn"),
    /** Figures measured now would not be valid. */
    FAIL("fail"),
    /** This machine does not have it; nothing is spoilt by that. */
    NONE("n/a");

    private final String word;

    Mark(String word) {
      this.word = word;
    }

    /** As tables and JSON write it. */
    @Override
    public String toString() {
      return word;
    }
  }

  public static Check ok(String name, String finding) {
    return new Check(name, Mark.OK, finding, null);
  }

  public static Check warn(String name, String finding, String remedy) {
    return new Check(name, Mark.WARN, finding, remedy);
  }

  public static Check fail(String name, String finding, String remedy) {
    return new Check(name, Mark.FAIL, finding, remedy);
  }

  public static Check none(String name, String finding) {
    return new Check(name, Mark.NONE, finding, null);
  }

  /**
   * What a machine is like to measure on: how it is set, and what it did while it was watched with
   * nothing measured. In a fixed order. Never throws.
   *
   * @param root {@code /}, or a recorded machine's files
   * @param seen half a second or more of telemetry, while this process did nothing
   */
  public static List<Check> ofMachine(Path root, TelemetrySummary seen) {
    return MachineChecks.of(root, seen);
  }

  /**
   * What this process itself runs under: its Java machine, its environment, where it may write. In
   * a fixed order. Takes some milliseconds. Never throws.
   *
   * @param root {@code /}, or a recorded machine's files
   * @param temporary where temporary files go
   * @param shared a file system in memory, for a control loop's black box
   */
  public static List<Check> ofProcess(Path root, Path temporary, Path shared) {
    return ProcessChecks.of(root, temporary, shared);
  }

  /** {@code name}, {@code mark}, {@code finding}, {@code remedy}. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", name);
    map.put("mark", mark.toString());
    map.put("finding", finding);
    map.put("remedy", remedy);
    return map;
  }
}
