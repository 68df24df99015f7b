package org.rpx.agent;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.report.Warning;

/** Sets of inputs that timed runs take in turns, in a report's words. */
final class InputSets {
  private static final int MOST_SHOWN = 3;

  private InputSets() {}

  /**
   * The tensors of the first set, which is counted; of those that are not alike in all, the values
   * name the sets.
   *
   * @throws IllegalArgumentException where the sets have different tensors
   */
  static List<Input> describe(List<List<Input>> sets) {
    List<Input> first = sets.get(0);
    for (List<Input> set : sets)
      if (!names(set).equals(names(first)))
        throw new IllegalArgumentException(
            "set "
                + (sets.indexOf(set) + 1)
                + " of --input-file has "
                + names(set)
                + ", the first has "
                + names(first)
                + ": sets that take turns have the same inputs");
    if (sets.size() == 1) return first;
    List<Input> all = new ArrayList<>();
    for (int i = 0; i < first.size(); i++) {
      int at = i;
      all.add(merged(sets.stream().map(set -> set.get(at)).toList()));
    }
    return all;
  }

  private static Input merged(List<Input> turns) {
    Input first = turns.get(0);
    if (turns.stream().allMatch(first::equals)) return first;
    boolean alike = turns.stream().allMatch(t -> isAlike(t, first));
    List<String> shown = new ArrayList<>();
    for (Input turn : turns.subList(0, Math.min(MOST_SHOWN, turns.size())))
      shown.add(alike ? turn.values() : turn.dtype() + " " + turn.shape() + " " + turn.values());
    int more = turns.size() - shown.size();
    return new Input(
        first.name(),
        first.shape(),
        first.dtype(),
        turns.size()
            + " sets in turns, the first counted: "
            + String.join("; ", shown)
            + (more > 0 ? " and " + more + " more" : ""));
  }

  /** That runs of several kinds were timed together; null where they were of one. */
  static Warning flag(List<List<Input>> sets) {
    for (int i = 0; i < sets.get(0).size(); i++) {
      Set<String> kinds = new LinkedHashSet<>();
      for (List<Input> set : sets) kinds.add(set.get(i).dtype() + " " + set.get(i).shape());
      if (kinds.size() > 1)
        return new Warning(
            Warning.Code.MIXED_INPUTS,
            "the timed runs took "
                + sets.size()
                + " sets of inputs in turns, of "
                + kinds.size()
                + " shapes of "
                + sets.get(0).get(i).name()
                + ": percentiles are of the mixture, and the count is of the first set; measure"
                + " each shape by itself to tell them apart");
    }
    return null;
  }

  private static boolean isAlike(Input one, Input other) {
    return one.shape().equals(other.shape()) && one.dtype().equals(other.dtype());
  }

  private static List<String> names(List<Input> set) {
    return set.stream().map(Input::name).toList();
  }
}
