package org.rpx.agent.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The keys that docs/report.md lists: the code words in the first column of a section's tables. */
final class Documented {
  private static final Pattern KEY = Pattern.compile("`([a-z0-9_.{}]+)`");

  private Documented() {}

  /** Of the section with this heading, in order; {@code a.b} stands for {@code a}, once. */
  static List<String> keys(String heading) {
    Set<String> keys = new LinkedHashSet<>();
    cells(heading).forEach(key -> keys.add(key.replaceFirst("\\..*", "")));
    return List.copyOf(keys);
  }

  /**
   * Of the object {@code outer} in that section: {@code b} where it lists {@code a.b}, not deeper.
   */
  static List<String> keysIn(String heading, String outer) {
    return cells(heading).stream()
        .filter(key -> key.startsWith(outer + "."))
        .map(key -> key.substring(outer.length() + 1))
        .filter(key -> key.indexOf('.') < 0)
        .toList();
  }

  /** The table row's keys, with those of the GPUs' columns for these GPUs. */
  static List<String> row(String... columns) {
    List<String> keys = new ArrayList<>(keys("## The table row"));
    int at = keys.indexOf("roofline_{gpu}_ms");
    keys.removeIf(key -> key.contains("{gpu}"));
    for (String column : columns) {
      keys.add(at++, "roofline_" + column + "_ms");
      keys.add(at++, "bottleneck_" + column);
    }
    return keys;
  }

  private static List<String> cells(String heading) {
    List<String> found = new ArrayList<>();
    boolean inside = false;
    for (String line : lines()) {
      if (line.startsWith("#")) inside = line.equals(heading);
      else if (inside && line.startsWith("|")) {
        Matcher key = KEY.matcher(line.split("\\|")[1]);
        while (key.find()) found.add(key.group(1));
      }
    }
    if (found.isEmpty()) throw new AssertionError("docs/report.md has no keys under " + heading);
    return found;
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(Agent.HOME.resolve("docs/report.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
