package org.rpx.agent.measure;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Two programs measured in turns, in random order, so that load and clocks hit both alike.
 *
 * <p>A turn is several forwards of a short program, at least one of a long one; its median is half
 * of a pair. The first forward of a turn does not count: the other program has just used the
 * caches.
 *
 * @param firstNs the first program's medians of turns, one a pair, in nanoseconds
 * @param secondNs the second's
 * @param firstRuns each run of the first program that counts, in order; without its start
 * @param secondRuns those of the second
 */
public record PairedRuns(
    double[] firstNs, double[] secondNs, Samples firstRuns, Samples secondRuns) {
  // Long enough that the clock and the change-over do not show.
  private static final double TURN_NS = 500_000;
  private static final int MOST_A_TURN = 1000;
  private static final Duration NO_LIMIT = Duration.ofNanos(Long.MAX_VALUE);

  // Looked at seldom, so that an interval is rarely too narrow by chance (as in Timing).
  private static final int FIRST_LOOK = 20;
  private static final double NEXT_LOOK = 1.5;

  /**
   * How pairs are measured, and how many.
   *
   * @param most pairs at most
   * @param limit no pair begins after this long
   * @param precision ends it once half of the interval of the difference is at most this, as a
   *     share; null without a target
   * @param sets of inputs that both take in turns: forwards of a turn go through all alike
   * @param sparse whether each set counts once a turn, however short a run is: where something
   *     happens between the runs, which takes longer
   * @param periodNs of the schedule by which the runs of a turn are released, whose times are then
   *     from their releases; 0 for runs back to back
   * @param seed of the order
   */
  public record Rule(
      int most,
      Duration limit,
      Double precision,
      int sets,
      boolean sparse,
      long periodNs,
      long seed) {}

  /**
   * Measures pairs until the rule ends it; a pair that began is ended. No more than 10,000,000 runs
   * of a side are kept: they end it too.
   *
   * @param cancelled asked between two pairs
   * @return those pairs that were measured: none where it was cancelled before
   */
  public static PairedRuns run(
      Workload first, Workload second, Rule rule, BooleanSupplier cancelled) {
    Random order = new Random(rule.seed);
    Side a = new Side(first, rule);
    Side b = new Side(second, rule);
    int pairs = 0;
    int look = rule.precision == null ? Integer.MAX_VALUE : FIRST_LOOK;
    while (pairs < rule.most
        && a.ns + b.ns < rule.limit.toNanos()
        && Math.max(a.count, b.count) < StoppingRule.MOST
        && !cancelled.getAsBoolean()) {
      boolean firstLeads = order.nextBoolean();
      (firstLeads ? a : b).turn(pairs);
      (firstLeads ? b : a).turn(pairs);
      if (++pairs == look) {
        double[] sofar = Arrays.copyOf(a.medians, pairs);
        Interval is = Comparison.paired(sofar, Arrays.copyOf(b.medians, pairs), 0).interval();
        if (is != null && is.halfWidth() <= rule.precision) break;
        look = (int) Math.ceil(pairs * NEXT_LOOK);
      }
    }
    return new PairedRuns(
        Arrays.copyOf(a.medians, pairs), Arrays.copyOf(b.medians, pairs), a.all(), b.all());
  }

  /** What the pairs say; errors as {@link Comparison#paired}. */
  public Difference difference(double margin) {
    return Comparison.paired(firstNs, secondNs, margin);
  }

  /**
   * The same of a percentile of all runs, whatever their distributions: each side's interval by
   * order statistics, end against end. It makes no use of pairs, and takes more runs.
   *
   * @param p above 0 and below 100
   * @throws IllegalArgumentException if {@code p} lies outside, or there are no runs
   */
  public Difference difference(double p, double margin) {
    return Comparison.percentile(Percentiles.of(firstRuns), Percentiles.of(secondRuns), p, margin);
  }

  /** One of the two programs, and what it came to. */
  private static final class Side {
    final Workload workload;
    final Rule rule;
    final int runs;
    double[] medians = new double[64];
    long[] durations = new long[1024];
    int count;
    long ns;

    Side(Workload workload, Rule rule) {
      this.workload = workload;
      this.rule = rule;
      runs = runs();
    }

    /** Of a turn, with the one that does not count. */
    private int runs() {
      // From another set in each turn, so that none is always the first; both sides keep in step.
      if (rule.sparse) return 1 + rule.sets;
      double ns = Math.max(1, workload.time(multiple(4), NO_LIMIT).statistics().min());
      int runs = (int) Math.max(1, Math.min(MOST_A_TURN, Math.ceil(TURN_NS / ns)));
      return multiple(runs + 1);
    }

    private int multiple(int least) {
      return (least + rule.sets - 1) / rule.sets * rule.sets;
    }

    void turn(int pair) {
      Samples turn = workload.time(runs, NO_LIMIT);
      ns += turn.spanNs();
      int counted = Math.max(1, turn.count() - 1);
      if (count + counted > durations.length)
        durations = Arrays.copyOf(durations, Math.max(count + counted, 2 * count));
      if (pair == medians.length) medians = Arrays.copyOf(medians, 2 * pair);
      double[] each = new double[counted];
      for (int i = 0, run = turn.count() - counted; i < counted; i++, run++) {
        long due = rule.periodNs == 0 ? turn.startNs(run) : run * rule.periodNs;
        long took = Math.max(1, turn.startNs(run) + turn.durationNs(run) - due);
        durations[count++] = took;
        each[i] = took;
      }
      medians[pair] = Blocks.median(each);
    }

    Samples all() {
      return Samples.owning(new long[count], Arrays.copyOf(durations, count));
    }
  }
}
