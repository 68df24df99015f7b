package org.rpx.agent.cli;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rpx.agent.CancelledException;
import org.rpx.agent.Plan;
import org.rpx.agent.ProcessComparison;
import org.rpx.agent.report.ComparisonReport;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * A comparison with a process for each side, so that each may have a LibTorch of its own, and any
 * number of such pairs.
 */
final class TwoProcesses {
  private final List<String> first;
  private final List<String> second;
  private final String libtorch;
  private final String name;

  /**
   * @param model of the first side
   * @param other of the second
   * @param base the second side's own options, "libtorch" among them
   * @param forward options that serve has too, as they were given
   */
  TwoProcesses(String model, String other, Map<String, String> base, List<OptionSpec> forward) {
    first = new ArrayList<>(List.of(model));
    second = new ArrayList<>(List.of(other));
    for (OptionSpec option : forward) {
      String name = option.longestName();
      for (String value : option.originalStringValues()) {
        String word = option.arity().max() == 0 ? name : name + "=" + value;
        first.add(word);
        if (!base.containsKey(name.substring(2))) second.add(word);
      }
    }
    libtorch = base.get("libtorch");
    List<String> options = base.entrySet().stream().map(Object::toString).toList();
    name = options.isEmpty() ? other : other + " (" + String.join(", ", options) + ")";
    base.forEach((name, value) -> second.add("--" + name + "=" + value));
    second.remove("--libtorch=" + libtorch);
  }

  /** Those options of a command line that {@code serve} takes as well. */
  static List<OptionSpec> forwarded(ParseResult line, List<String> names) {
    return line.matchedOptions().stream().filter(o -> names.contains(o.longestName())).toList();
  }

  /** Measures {@code repeats} pairs of fresh processes, one pair after another. */
  ComparisonReport run(
      Plan firstPlan, Plan secondPlan, double margin, int repeats, Progress progress) {
    ProcessComparison comparison =
        new ProcessComparison(firstPlan, secondPlan, progress, Interrupt::received);
    for (int i = 0; i < repeats; i++) {
      progress.phase(repeats == 1 ? "load" : "pair " + (i + 1) + " of " + repeats);
      // One after the other: each may have to be built first.
      try (ServedModel one = new ServedModel("the first side", first, null);
          ServedModel other = new ServedModel("the second side (--base)", second, libtorch)) {
        Interrupt.onCancel(
            () -> {
              one.close();
              other.close();
            });
        pair(comparison, one, other);
      }
    }
    return comparison.report(first.get(0), name, margin);
  }

  private static void pair(ProcessComparison comparison, ServedModel one, ServedModel other) {
    try {
      comparison.add(one.workload(), other.workload());
    } catch (UncheckedIOException e) {
      if (Interrupt.received()) throw new CancelledException();
      // The pipe of one is at its end: that one has ended, or is about to.
      for (int tries = 0; tries < 50 && one.isAlive() && other.isAlive(); tries++) nap();
      throw (one.isAlive() ? other : one).failure();
    }
  }

  private static void nap() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancelledException();
    }
  }
}
