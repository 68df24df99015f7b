package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.rpx.agent.exported.Expression.Term;
import org.rpx.agent.exported.GuardInputs.Place;
import org.rpx.agent.trace.InputSpec;

/**
 * What a program asks of its inputs beyond ranges of sizes, and its exporter would check: {@code
 * guards_code}, in files of torch 2.9 and later.
 */
final class Guards {
  /** Of a guard's inputs in a message, and of its text. */
  private static final int MOST_NAMED = 6;

  private static final int SHOWN = 300;

  private final List<Guard> guards = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();

  private record Guard(String text, Term term, Map<String, Place> places) {}

  Guards(Program program) {
    if (program.guards().isEmpty()) return;
    GuardInputs inputs = new GuardInputs(program);
    // The same one may stand there twice.
    for (String text : new LinkedHashSet<>(program.guards())) {
      try {
        GuardParser.Guard guard = GuardParser.parse(text);
        Map<String, Place> places = new LinkedHashMap<>();
        guard.sources().forEach((name, source) -> places.put(name, inputs.find(source)));
        guards.add(new Guard(text, guard.term(), places));
      } catch (ArithmeticException e) {
        unread.add(shown(text, e));
      }
    }
  }

  /**
   * Checks them.
   *
   * @param given by the graph's names
   * @return those that cannot be checked, each with the reason
   * @throws InputException where one does not hold
   */
  List<String> check(Map<String, InputSpec.Tensor> given) {
    List<String> unchecked = new ArrayList<>(unread);
    for (Guard guard : guards) {
      try {
        if (!holds(guard, given)) throw refused(guard, given);
      } catch (ArithmeticException e) {
        unchecked.add(shown(guard.text(), e));
      }
    }
    return unchecked;
  }

  private static boolean holds(Guard guard, Map<String, InputSpec.Tensor> given) {
    Map<String, Long> values = new LinkedHashMap<>();
    guard.places().forEach((name, place) -> values.put(name, place.value(given)));
    try {
      return guard.term().value(values).truth();
    } catch (ArithmeticException e) {
      // The exporter's own check stops there too.
      if (Amount.BY_ZERO.equals(e.getMessage())) return false;
      throw e;
    }
  }

  private static InputException refused(Guard guard, Map<String, InputSpec.Tensor> given) {
    String read =
        guard.places().values().stream()
            .distinct()
            .limit(MOST_NAMED)
            .map(place -> place.shown(given))
            .collect(Collectors.joining(", "));
    return new InputException(
        read
            + (read.isEmpty() ? "" : ": ")
            + "the program was exported for "
            + shown(guard.text())
            + "; give inputs for which that holds, or export the model for these");
  }

  private static String shown(String text, ArithmeticException e) {
    return shown(text) + " (" + shown(Symbols.reason(e)) + ")";
  }

  private static String shown(String text) {
    return ExportedProgram.oneLine(text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text);
  }
}
