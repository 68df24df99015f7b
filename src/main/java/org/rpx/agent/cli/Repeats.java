package org.rpx.agent.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.PercentileEstimate;
import org.rpx.agent.measure.Percentiles;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;

/** One model measured in several fresh processes, one after another. */
final class Repeats {
  private Repeats() {}

  /**
   * The report of the process whose median is the middle one, with the percentiles of all and what
   * the others were warned of beside it.
   *
   * @throws NativeException where one of the processes fails
   */
  static EfficiencyReport run(int count, List<String> arguments, Progress progress) {
    List<EfficiencyReport> reports = new ArrayList<>();
    while (reports.size() < count) {
      progress.phase("process " + (reports.size() + 1) + " of " + count);
      FreshProcess.Outcome outcome = FreshProcess.run(arguments);
      if (outcome.report() == null)
        throw new NativeException(
            NativeException.Code.MODEL_LOAD,
            "process " + (reports.size() + 1) + " of " + count + ": " + outcome.failure());
      if (outcome.report().tier3() == null || outcome.report().tier3().samples().count() == 0)
        throw new IllegalArgumentException(
            outcome.report().model().path() + ": nothing was timed, so that --repeats has no use");
      reports.add(outcome.report());
    }
    reports.sort(Comparator.comparing(r -> r.tier3().percentileMs(50)));
    EfficiencyReport middle = reports.get((count - 1) / 2);
    List<List<PercentileEstimate>> all = reports.stream().map(r -> estimates(r.tier3())).toList();
    Course course = middle.tier3().course().withProcesses(all);
    return middle
        .withTier3(middle.tier3().withCourse(course))
        .withWarnings(
            Warning.merged(
                middle.warnings(),
                reports.stream().map(EfficiencyReport::warnings).toList(),
                "processes"));
  }

  private static List<PercentileEstimate> estimates(Measurement measured) {
    return Percentiles.of(measured.samples()).at(measured.course().percentiles());
  }
}
