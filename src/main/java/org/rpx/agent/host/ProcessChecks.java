package org.rpx.agent.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** What this process itself runs under: its Java machine, its environment, where it may write. */
final class ProcessChecks {
  private static final int CLOCK_ROUNDS = 50;
  private static final int CLOCK_READINGS = 1000;

  private ProcessChecks() {}

  /** As {@link Check#ofProcess} has it. */
  static List<Check> of(Path root, Path temporary, Path shared) {
    return of(new Tree(root), System.getenv(), temporary, shared);
  }

  static List<Check> of(Tree tree, Map<String, String> environment, Path temporary, Path shared) {
    List<Check> checks = new ArrayList<>();
    checks.add(timer());
    checks.add(java(tree, environment));
    checks.add(variables(environment));
    checks.add(
        writable(temporary)
            ? Check.ok("temporary files", temporary + " can be written")
            : Check.fail(
                "temporary files",
                temporary + " cannot be written: demos and packages cannot be unpacked",
                "name another folder: RPX_JAVA_OPTS=-Djava.io.tmpdir=DIR"));
    checks.add(
        writable(shared)
            ? Check.ok("black box", shared + " (memory) can be written")
            : Check.warn(
                "black box",
                shared + " cannot be written: cycles are kept on disk, which may hold a loop up",
                "mount a tmpfs there (container: --shm-size=64m)"));
    return checks;
  }

  /** The JVM's nanoTime is the clock of the native loop (CLOCK_MONOTONIC). */
  private static Check timer() {
    long step = Long.MAX_VALUE;
    double least = Double.POSITIVE_INFINITY;
    for (int round = 0; round < CLOCK_ROUNDS; round++) {
      long first = System.nanoTime();
      long last = first;
      for (int i = 0; i < CLOCK_READINGS; i++) {
        long now = System.nanoTime();
        step = now > last ? Math.min(step, now - last) : step;
        last = now;
      }
      // The least of several: others may have had the core meanwhile, and the first are
      // interpreted.
      least = Math.min(least, (double) (last - first) / CLOCK_READINGS);
    }
    return timer(step, least);
  }

  static Check timer(long stepNs, double readingNs) {
    String text =
        MachineChecks.format("steps of %d ns or less, %.0f ns to read", stepNs, readingNs);
    return stepNs > 1000 || readingNs > 1000
        ? Check.warn("timer", text, "take runs of 20 µs and more, or a larger batch")
        : Check.ok("timer", text);
  }

  private static Check java(Tree tree, Map<String, String> environment) {
    List<String> arguments = JvmFacts.arguments(tree, environment);
    String collector = JvmFacts.collector(tree, arguments);
    List<String> slow = new ArrayList<>();
    for (String argument : arguments) {
      if (argument.equals("-Xint")
          || argument.startsWith("-Xrunjdwp")
          || argument.startsWith("-javaagent")
          || argument.startsWith("-agent")) {
        slow.add(argument);
      }
    }
    String text =
        "Java "
            + System.getProperty("java.version")
            + ", collector "
            + (collector == null ? "not known" : collector)
            + (arguments.isEmpty() ? "" : ", " + String.join(" ", arguments));
    if (!slow.isEmpty()) {
      return Check.warn(
          "Java",
          text,
          "leave out " + String.join(", ", slow) + ": code that runs beside the model");
    }
    boolean threads = collector != null && !collector.equals("Serial");
    return threads
        ? Check.warn(
            "Java",
            text,
            "take the collector without threads of its own: -XX:+UseSerialGC, as the launcher does")
        : Check.ok("Java", text);
  }

  private static Check variables(Map<String, String> environment) {
    SortedMap<String, String> set = ResultEnvironment.of(environment);
    if (set.isEmpty()) {
      return Check.ok("environment", "nothing set that changes figures");
    }
    return Check.warn(
        "environment",
        "set: " + String.join(", ", set.keySet()),
        "unset what the program to be judged does not set; reports keep the values");
  }

  private static boolean writable(Path folder) {
    try {
      Files.delete(Files.createTempFile(folder, "rpx-", ".check"));
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
