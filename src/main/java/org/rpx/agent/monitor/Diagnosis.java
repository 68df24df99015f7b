package org.rpx.agent.monitor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a missed deadline is put down to. Usual is the median over the cycles of the black box that
 * met theirs.
 *
 * @param latenessNanos how long after its release the cycle began, where that made it miss more
 *     than any stage did; null otherwise
 * @param stage the one that took the most above its usual time; null where none took more, no stage
 *     was marked, or the late begin is to blame
 * @param stageNanos what it took; null likewise
 * @param usualNanos what it usually takes; null likewise, or where no cycle met its deadline
 * @param excessNanos the whole above its usual time, from the release on where the deadline counts
 *     from there; null where no cycle met its deadline
 * @param causes what the machine did meanwhile that may explain a tenth of the excess or more;
 *     empty where it did nothing of the kind, and the stage itself was slow
 */
record Diagnosis(
    Long latenessNanos,
    String stage,
    Long stageNanos,
    Long usualNanos,
    Long excessNanos,
    List<Cause> causes) {
  /** At least this part of the excess. */
  private static final double PART = 0.1;

  record Cause(String kind, String text) {}

  /**
   * @param begin the cycle's begin as nanoTime; null where it is not known
   * @param before from before the cycle
   * @param after from after it, the same facts
   */
  static Diagnosis of(
      BlackBoxFile ring,
      Cycle missed,
      Long begin,
      Probes.Sample before,
      Probes.Sample after,
      List<MachineEvent> events) {
    long late = lateness(ring, missed);
    Long usual = usual(ring, Cycle::durationNanos);
    Long excess = usual == null ? null : missed.durationNanos() + late - usual;
    long least = Math.max(1, (long) (PART * (excess == null ? missed.durationNanos() : excess)));
    List<Cause> causes = new ArrayList<>();
    if (begin != null) {
      pauses(causes, events, begin - late, begin + missed.durationNanos(), least);
    }
    facts(causes, before, after, least);

    int slow = -1;
    long most = 0;
    Long slowUsual = null;
    for (int i = 0; i < ring.stages().size(); i++) {
      int stage = i;
      Long took = missed.stageNanos(i);
      if (took == null) continue;
      Long usually = usual(ring, c -> c.stageNanos(stage));
      long above = took - (usually == null ? 0 : usually);
      if (above <= most) continue;
      slow = i;
      most = above;
      slowUsual = usually;
    }
    if (late > most) return new Diagnosis(late, null, null, null, excess, List.copyOf(causes));
    return new Diagnosis(
        null,
        slow < 0 ? null : ring.stages().get(slow),
        slow < 0 ? null : missed.stageNanos(slow),
        slowUsual,
        excess,
        List.copyOf(causes));
  }

  /**
   * What of a late begin the deadline counts; 0 where it counts from the begin. The ring does not
   * say which: a cycle that was short enough by itself can only have missed it from its release.
   */
  private static long lateness(BlackBoxFile ring, Cycle missed) {
    Long deadline = ring.deadlineNanos();
    Long late = missed.latenessNanos();
    if (deadline == null || late == null || missed.durationNanos() > deadline) return 0;
    return Math.max(0, late);
  }

  /** The median over the cycles that met their deadline; null where none did. */
  private static Long usual(BlackBoxFile ring, Function<Cycle, Long> figure) {
    long[] sorted =
        ring.cycles().stream()
            .filter(c -> !c.missed())
            .map(figure)
            .filter(Objects::nonNull)
            .mapToLong(v -> v)
            .sorted()
            .toArray();
    return sorted.length == 0 ? null : sorted[(sorted.length - 1) / 2];
  }

  /** One line for people. */
  String text() {
    String what = "the cycle took too long";
    if (latenessNanos != null) {
      what = "the cycle began " + ms(latenessNanos) + " after its release";
    } else if (stage != null) {
      what = stage + " took " + ms(stageNanos);
      if (usualNanos != null) what += ", usually " + ms(usualNanos);
    }
    if (causes.isEmpty()) return what + "; the machine did nothing that explains it";
    return what + "; " + causes.stream().map(Cause::text).collect(Collectors.joining("; "));
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
      List<Cause> causes, Probes.Sample before, Probes.Sample after, long least) {
    String around = " within the " + ms(after.end() - before.begin()) + " around it";
    long waited = difference(before, after, "thread_waited_for_cpu");
    if (waited >= least) {
      causes.add(
          new Cause("waited_for_cpu", "the thread waited " + ms(waited) + " for a core" + around));
    }
    long quota = difference(before, after, "quota_throttled_time");
    if (quota >= least) {
      causes.add(new Cause("quota", "a CPU quota stopped threads for " + ms(quota) + around));
    }
    count(
        causes,
        before,
        after,
        "thread_major_faults",
        "page_faults",
        "page faults to disk" + around);
    count(
        causes,
        before,
        after,
        "thermal_throttles",
        "thermal_throttle",
        "throttlings for heat" + around);
    count(
        causes,
        before,
        after,
        "over_current_events",
        "over_current",
        "over-current events" + around);
  }

  private static void count(
      List<Cause> causes,
      Probes.Sample before,
      Probes.Sample after,
      String fact,
      String kind,
      String text) {
    long count = difference(before, after, fact);
    if (count > 0) causes.add(new Cause(kind, count + " " + text));
  }

  /** How much a counter grew; 0 where it is not known. */
  private static long difference(Probes.Sample before, Probes.Sample after, String name) {
    Long from = value(before.facts(), name);
    Long to = value(after.facts(), name);
    return from == null || to == null ? 0 : to - from;
  }

  /** The first that is known of a name; null without one. */
  static Long value(List<MachineFact> facts, String name) {
    for (MachineFact fact : facts) {
      if (fact.name().equals(name) && fact.value() != null) return fact.value();
    }
    return null;
  }

  private static String ms(long nanos) {
    return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
  }
}
