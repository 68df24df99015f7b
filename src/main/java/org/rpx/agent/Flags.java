package org.rpx.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.rpx.agent.measure.LevelChange;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.PercentileEstimate;
import org.rpx.agent.measure.Percentiles;
import org.rpx.agent.measure.Steadiness;
import org.rpx.agent.report.Warning;
import org.rpx.agent.report.Warning.Code;

/** What the timed runs themselves say against their figures. */
final class Flags {
  private Flags() {}

  static List<Warning> of(Measurement measured) {
    List<Warning> flags = new ArrayList<>();
    if (measured.samples().count() == 0) return flags;
    String few =
        Percentiles.of(measured.samples()).at(measured.course().percentiles()).stream()
            .filter(PercentileEstimate::tooFewSamples)
            .map(PercentileEstimate::reason)
            .collect(Collectors.joining("; "));
    if (!few.isEmpty()) flags.add(new Warning(Code.TOO_FEW_SAMPLES, few));
    List<LevelChange> changes = Steadiness.changes(measured.samples());
    if (changes != null) changes.forEach(c -> flags.add(flag(c)));
    return flags;
  }

  private static Warning flag(LevelChange change) {
    boolean drifts =
        change.kind() == LevelChange.Kind.TREND || change.kind() == LevelChange.Kind.WARM_UP;
    return new Warning(
        drifts ? Code.TREND : Code.UNSTABLE,
        String.format(Locale.ROOT, "%+.1f %%: ", 100 * change.share()) + change.kind().remedy());
  }
}
