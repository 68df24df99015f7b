package org.rpx.agent.monitor;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What was counted between two moments. Nanoseconds throughout.
 *
 * @param whole cycles from begin to end; its count is the number of cycles
 * @param stages one for each stage, in order
 * @param lateness jitter: begin after release, of the cycles that had a release of their own; an
 *     early begin is 0
 * @param device device times that were handed in
 * @param misses cycles past the deadline; null without a deadline
 * @param longestMissRun the longest run of misses that reached into the span; null likewise
 * @param skipped releases that no cycle began for; null without a period
 * @param extra cycles that began more than half a period before their release, as when a loop
 *     catches up; null without a period
 */
public record SpanFigures(
    Instant from,
    Instant to,
    LatencyFigures whole,
    List<LatencyFigures> stages,
    LatencyFigures lateness,
    LatencyFigures device,
    Long misses,
    Long longestMissRun,
    Long skipped,
    Long extra) {

  static SpanFigures of(
      Tally tally, Instant from, Instant to, boolean hasDeadline, boolean hasPeriod) {
    List<LatencyFigures> stages = new ArrayList<>();
    for (Histogram stage : tally.stages) stages.add(LatencyFigures.of(stage));
    return new SpanFigures(
        from,
        to,
        LatencyFigures.of(tally.whole),
        List.copyOf(stages),
        LatencyFigures.of(tally.lateness),
        LatencyFigures.of(tally.device),
        hasDeadline ? tally.misses : null,
        hasDeadline ? tally.longestMissRun : null,
        hasPeriod ? tally.skipped : null,
        hasPeriod ? tally.extra : null);
  }
}
