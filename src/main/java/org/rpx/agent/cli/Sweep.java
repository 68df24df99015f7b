package org.rpx.agent.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.report.SweepReport;

/** An option's values to go through: {@code threads=1,2,4}. */
record Sweep(String option, List<String> values) {
  private static final List<String> OPTIONS =
      List.of("threads", "batch", "input", "precision", "device", "rate");

  /**
   * Reads one; a comma inside brackets belongs to the value.
   *
   * @throws IllegalArgumentException with the form
   */
  static Sweep parse(String text) {
    int equals = text.indexOf('=');
    String option = equals < 0 ? text : text.substring(0, equals);
    if (!OPTIONS.contains(option)) throw wrong(text, "names none of " + String.join(", ", OPTIONS));
    List<String> values = new ArrayList<>();
    int depth = 0;
    int start = equals + 1;
    for (int i = start; i <= text.length(); i++) {
      char c = i == text.length() ? ',' : text.charAt(i);
      if ("([{".indexOf(c) >= 0) depth++;
      if (")]}".indexOf(c) >= 0) depth--;
      if (c != ',' || (depth > 0 && i < text.length())) continue;
      values.add(text.substring(start, i).strip());
      start = i + 1;
    }
    if (equals < 0 || values.contains("")) throw wrong(text, "lacks a value");
    return new Sweep(option, values);
  }

  private static IllegalArgumentException wrong(String text, String what) {
    return new IllegalArgumentException(
        "\"" + text + "\" (--sweep) " + what + ": as threads=1,2,4 or batch=1,8");
  }

  /** Every combination, the last option fastest. */
  static List<Map<String, String>> points(List<Sweep> sweeps) {
    List<Map<String, String>> points = List.of(Map.of());
    for (Sweep sweep : sweeps) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> point : points)
        for (String value : sweep.values()) {
          Map<String, String> one = new LinkedHashMap<>(point);
          if (one.put(sweep.option(), value) != null) throw wrong(sweep.option(), "is given twice");
          longer.add(one);
        }
      points = longer;
    }
    return points;
  }

  /** Measures every point, one after another; one that fails is a row with its reason. */
  static SweepReport run(List<Sweep> sweeps, List<String> arguments, Progress progress) {
    List<SweepReport.Point> done = new ArrayList<>();
    List<Map<String, String>> points = points(sweeps);
    for (Map<String, String> point : points) {
      progress.phase("point " + (done.size() + 1) + " of " + points.size());
      List<String> all = new ArrayList<>(arguments);
      point.forEach((option, value) -> all.addAll(List.of("--" + option, value)));
      FreshProcess.Outcome outcome = FreshProcess.run(all);
      done.add(new SweepReport.Point(point, outcome.report(), outcome.failure()));
    }
    return new SweepReport(done);
  }
}
