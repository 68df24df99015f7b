package org.rpx.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.rpx.agent.measure.LevelChange;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Pace;
import org.rpx.agent.measure.PacedRuns;
import org.rpx.agent.measure.PercentileEstimate;
import org.rpx.agent.measure.Percentiles;
import org.rpx.agent.report.Warning;
import org.rpx.agent.report.Warning.Code;

/** What the timed runs themselves say against their figures. */
final class Flags {
  // Below that the loop's share of a run passes 5 %.
  static final int LEAST_FLOORS = 20;

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
    flag(measured.paced(), measured.course().loop().pace(), flags);
    Long floor = measured.course().loop().timerFloorNs();
    if (floor != null && median(measured) < LEAST_FLOORS * floor)
      flags.add(
          new Warning(
              Code.TIMER_FLOOR,
              String.format(
                  Locale.ROOT,
                  "a median of %.0f ns is less than %d times the %d ns that the loop takes itself:"
                      + " batch more work into a run (--batch)",
                  median(measured),
                  LEAST_FLOORS,
                  floor)));
    List<LevelChange> changes = measured.samples().levelChanges();
    if (changes != null) changes.forEach(c -> flags.add(flag(c)));
    return flags;
  }

  private static void flag(PacedRuns runs, Pace pace, List<Warning> flags) {
    if (runs == null || !runs.overloaded()) return;
    flags.add(
        new Warning(
            Code.OVERLOADED,
            String.format(
                Locale.ROOT,
                "%s is more than the model keeps up with here, %.4g Hz at most: its latencies tell"
                    + " how long was measured; lower --rate, or make the model faster",
                pace.rate(),
                runs.capacityHz())));
  }

  /** Of what the program takes, whatever waits. */
  private static double median(Measurement measured) {
    PacedRuns paced = measured.paced();
    return (paced == null ? measured.samples() : paced.services()).statistics().median();
  }

  private static Warning flag(LevelChange change) {
    boolean drifts =
        change.kind() == LevelChange.Kind.TREND || change.kind() == LevelChange.Kind.WARM_UP;
    return new Warning(
        drifts ? Code.TREND : Code.UNSTABLE,
        String.format(Locale.ROOT, "%+.1f %%: ", 100 * change.share()) + change.kind().remedy());
  }
}
