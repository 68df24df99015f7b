package org.rpx.agent.monitor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * What a missed deadline is put down to.
 *
 * @param stage the one that took the most above its median of the cycles that met theirs; null
 *     where none took more, or no stage was marked
 * @param stageNanos what it took; null likewise
 * @param usualNanos that median; null likewise
 * @param excessNanos the whole above its median
 * @param causes what the machine did meanwhile that explains at least a tenth of the excess, by
 *     kind and text; empty where it did nothing of the kind
 */
record Diagnosis(
    String stage, Long stageNanos, Long usualNanos, long excessNanos, List<Cause> causes) {
  /** At least this part of the excess. */
  private static final double PART = 0.1;

  record Cause(String kind, String text) {}

  /**
   * @param begin the cycle's begin as nanoTime; null where it is not known
   * @param before facts from before the cycle
   * @param after facts from after it, the same ones
   */
  static Diagnosis of(
      BlackBoxFile ring,
      Cycle missed,
      Long begin,
      List<MachineFact> before,
      List<MachineFact> after,
      List<MachineEvent> events) {
    long excess = missed.durationNanos() - usual(ring, missed, Cycle::durationNanos, 0L);
    int stage = -1;
    long most = 0;
    for (int i = 0; i < ring.stages().size(); i++) {
      int at = i;
      Long took = missed.stageNanos(i);
      if (took == null) continue;
      long above = took - usual(ring, missed, c -> c.stageNanos(at), 0L);
      if (above > most) {
        stage = i;
        most = above;
      }
    }
    int slow = stage;
    List<Cause> causes = new ArrayList<>();
    long least = Math.max(1, (long) (PART * excess));
    if (begin != null) pauses(causes, events, begin, begin + missed.durationNanos(), least);
    facts(causes, before, after, least);
    return new Diagnosis(
        slow < 0 ? null : ring.stages().get(slow),
        slow < 0 ? null : missed.stageNanos(slow),
        slow < 0 ? null : usual(ring, missed, c -> c.stageNanos(slow), 0L),
        excess,
        List.copyOf(causes));
  }

  /** The median over the cycles that met their deadline, but this one. */
  private static long usual(
      BlackBoxFile ring, Cycle missed, Function<Cycle, Long> figure, long otherwise) {
    long[] sorted =
        ring.cycles().stream()
            .filter(c -> !c.missed() && c.number() != missed.number())
            .map(figure)
            .filter(v -> v != null)
            .mapToLong(v -> v)
            .sorted()
            .toArray();
    return sorted.length == 0 ? otherwise : sorted[(sorted.length - 1) / 2];
  }

  private static void pauses(
      List<Cause> causes, List<MachineEvent> events, long begin, long end, long least) {
    for (MachineEvent event : events) {
      long overlap = Math.min(end, event.endNanos()) - Math.max(begin, event.beginNanos());
      if (overlap >= least) {
        causes.add(new Cause(event.kind(), ms(overlap) + " of " + event.detail()));
      }
    }
  }

  private static void facts(
      List<Cause> causes, List<MachineFact> before, List<MachineFact> after, long least) {
    long waited = difference(before, after, "thread_waited_for_cpu");
    if (waited >= least) {
      causes.add(
          new Cause(
              "waited_for_cpu", "the thread was ready for " + ms(waited) + " without a core"));
    }
    long quota = difference(before, after, "quota_throttled_time");
    if (quota >= least) {
      causes.add(new Cause("quota", "the group's CPU quota stopped it for " + ms(quota)));
    }
    for (String[] each :
        new String[][] {
          {"thread_major_faults", "page_faults", "pages of the thread came from a disk"},
          {"thermal_throttles", "thermal_throttle", "throttlings for heat"},
          {"over_current_events", "over_current", "over-current events"}
        }) {
      long count = difference(before, after, each[0]);
      if (count > 0) causes.add(new Cause(each[1], count + " " + each[2]));
    }
  }

  /** How much a counter grew; 0 where it is not known. */
  private static long difference(List<MachineFact> before, List<MachineFact> after, String name) {
    Long from = value(before, name);
    Long to = value(after, name);
    return from == null || to == null ? 0 : to - from;
  }

  static Long value(List<MachineFact> facts, String name) {
    for (MachineFact fact : facts) if (fact.name().equals(name)) return fact.value();
    return null;
  }

  private static String ms(long nanos) {
    return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
  }
}
