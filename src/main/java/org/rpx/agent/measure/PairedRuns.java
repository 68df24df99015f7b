package org.rpx.agent.measure;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Two programs measured in turns, in random order, so that load and clocks hit both alike.
 *
 * <p>A turn is several forwards of a short program, at least one of a long one; its median counts.
 * The first forward of a turn does not: the other program has just used the caches.
 *
 * @param firstNs the first program's times, one a pair, in nanoseconds
 * @param secondNs the second's
 */
public record PairedRuns(double[] firstNs, double[] secondNs) {
  // Long enough that the clock and the change-over do not show.
  private static final double TURN_NS = 500_000;
  private static final int MOST_A_TURN = 1000;
  private static final Duration NO_LIMIT = Duration.ofNanos(Long.MAX_VALUE);

  /**
   * Measures pairs until there are {@code mostPairs} or {@code limit} is over; a pair that began is
   * ended.
   *
   * @param sets of inputs that both take in turns: forwards of a turn are a multiple of them
   * @param seed of the order
   * @param cancelled asked between two pairs
   * @return those pairs that were measured: none where it was cancelled before
   */
  public static PairedRuns run(
      Workload first,
      Workload second,
      int mostPairs,
      Duration limit,
      int sets,
      long seed,
      BooleanSupplier cancelled) {
    Random order = new Random(seed);
    int runsFirst = runs(first, sets);
    int runsSecond = runs(second, sets);
    double[] a = new double[Math.min(mostPairs, 1024)];
    double[] b = new double[a.length];
    int pairs = 0;
    long ns = 0;
    while (pairs < mostPairs && ns < limit.toNanos() && !cancelled.getAsBoolean()) {
      if (pairs == a.length) {
        a = Arrays.copyOf(a, (int) Math.min(mostPairs, 2L * pairs));
        b = Arrays.copyOf(b, a.length);
      }
      boolean firstLeads = order.nextBoolean();
      Samples lead = firstLeads ? turn(first, runsFirst) : turn(second, runsSecond);
      Samples follow = firstLeads ? turn(second, runsSecond) : turn(first, runsFirst);
      a[pairs] = median(firstLeads ? lead : follow);
      b[pairs++] = median(firstLeads ? follow : lead);
      ns += lead.spanNs() + follow.spanNs();
    }
    return new PairedRuns(Arrays.copyOf(a, pairs), Arrays.copyOf(b, pairs));
  }

  /** What the pairs say; errors as {@link Comparison#paired}. */
  public Difference difference(double margin) {
    return Comparison.paired(firstNs, secondNs, margin);
  }

  private static Samples turn(Workload workload, int runs) {
    return workload.time(runs, NO_LIMIT);
  }

  /** Of a turn, with the one that does not count. */
  private static int runs(Workload workload, int sets) {
    double ns = Math.max(1, workload.time(multiple(4, sets), NO_LIMIT).statistics().min());
    int runs = (int) Math.max(1, Math.min(MOST_A_TURN, Math.ceil(TURN_NS / ns)));
    return multiple(runs + 1, sets);
  }

  private static int multiple(int least, int of) {
    return (least + of - 1) / of * of;
  }

  private static double median(Samples turn) {
    double[] counted = new double[Math.max(1, turn.count() - 1)];
    int skipped = turn.count() - counted.length;
    for (int i = 0; i < counted.length; i++) counted[i] = turn.durationNs(i + skipped);
    return Math.max(1, Blocks.median(counted));
  }
}
