package org.rpx.agent.measure;

import java.util.stream.DoubleStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Whether one program is faster than another. Reckoned on logarithms, so that a difference is a
 * share and the same both ways round.
 */
public final class Comparison {
  /** Of intervals here: at 95 % one in twenty equal pairs would get a verdict. */
  public static final double CONFIDENCE = 0.99;

  /** What counts as the same where nothing else is asked for: ±1 %. */
  public static final double MARGIN = 0.01;

  private Comparison() {}

  /**
   * From pairs that were measured live, one right after the other: what slows both down for a while
   * cancels. The interval is Wilcoxon's of the differences of logarithms, or that of their median
   * by signs, whichever is narrower.
   *
   * @param first durations of the first program, above 0, any unit
   * @param second those of the second, pair by pair, in the order measured
   * @param margin what counts as the same, as a share
   * @throws IllegalArgumentException if the lengths differ, there are none, or one is not above 0
   */
  public static Difference paired(double[] first, double[] second, double margin) {
    if (first.length != second.length || first.length == 0) {
      throw new IllegalArgumentException(
          "pairs of " + first.length + " and " + second.length + " runs; give one of each a pair");
    }
    double[] a = logarithms(first);
    double[] differences = logarithms(second);
    for (int i = 0; i < a.length; i++) differences[i] -= a[i];
    SignedRanks ranks = new SignedRanks(differences);
    // The narrower of two holds as often as is claimed if each errs half as often (Bonferroni).
    Interval byRanks = ranks.interval((1 + CONFIDENCE) / 2);
    Interval bySigns = ranks.intervalOfMedian((1 + CONFIDENCE) / 2);
    boolean signs =
        byRanks == null || (bySigns != null && bySigns.halfWidth() < byRanks.halfWidth());
    Interval interval = share(signs ? bySigns : byRanks);
    String reason =
        interval == null
            ? "these " + a.length + " pairs are too few for an interval; run longer"
            : null;
    return new Difference(
        Math.expm1(signs ? ranks.median() : ranks.center()),
        interval,
        CONFIDENCE,
        Verdict.on(interval, margin),
        reason);
  }

  /**
   * A percentile of two programs' runs, whatever their distributions: each side's interval by order
   * statistics errs half as often as is claimed, and the difference lies between their far ends
   * (Bonferroni). It takes no use of pairs, and is wider than {@link #paired}.
   *
   * @param first of the first program, whose durations are above 0
   * @param second of the second
   * @param p above 0 and below 100
   * @param margin what counts as the same, as a share
   * @throws IllegalArgumentException if {@code p} lies outside
   */
  static Difference percentile(Percentiles first, Percentiles second, double p, double margin) {
    if (!(p > 0 && p < 100))
      throw new IllegalArgumentException("a percentile lies between 0 and 100, was " + p);
    PercentileEstimate a = first.at(p, (1 + CONFIDENCE) / 2);
    PercentileEstimate b = second.at(p, (1 + CONFIDENCE) / 2);
    boolean known = a.value() != null && b.value() != null;
    Double share = known ? (Double) (b.value() / a.value() - 1) : null;
    if (a.interval() == null || b.interval() == null)
      return new Difference(
          share, null, CONFIDENCE, Verdict.INCONCLUSIVE, (a.interval() == null ? a : b).reason());
    Interval interval =
        new Interval(
            b.interval().low() / a.interval().high() - 1,
            b.interval().high() / a.interval().low() - 1);
    return new Difference(share, interval, CONFIDENCE, Verdict.on(interval, margin), null);
  }

  /**
   * From pairs of processes, each pair measured in turns: Student's interval of the mean difference
   * of the pairs' logarithms.
   *
   * @param first a figure of each pair's first process, above 0
   * @param second that of its second
   * @param margin what counts as the same, as a share
   * @throws IllegalArgumentException if the lengths differ, there are fewer than two, or one is not
   *     above 0
   */
  public static Difference processPairs(double[] first, double[] second, double margin) {
    int n = first.length;
    if (n != second.length || n < 2)
      throw new IllegalArgumentException(
          n + " and " + second.length + " processes; give pairs, two at least");
    double[] a = logarithms(first);
    double[] differences = logarithms(second);
    for (int i = 0; i < n; i++) differences[i] -= a[i];
    double center = mean(differences);
    double half =
        TDistribution.of(n - 1).inverseSurvivalProbability((1 - CONFIDENCE) / 2)
            * Math.sqrt(variance(differences) / n);
    Interval interval = share(new Interval(center - half, center + half));
    return new Difference(
        Math.expm1(center), interval, CONFIDENCE, Verdict.on(interval, margin), null);
  }

  /**
   * From saved figures, one a process: Welch's interval of the difference of their means. Where a
   * side has one process only, the interval is as wide as two runs of one program are known to
   * differ here.
   *
   * @param first a figure (the median, say) of each process of the first program, above 0
   * @param second those of the second
   * @param knownSpread by how much processes of one program differ on this machine, largest over
   *     smallest - 1; null where it is not known
   * @param margin what counts as the same, as a share
   * @throws IllegalArgumentException if a side has none, or one is not above 0
   */
  public static Difference processes(
      double[] first, double[] second, Double knownSpread, double margin) {
    if (first.length == 0 || second.length == 0) {
      throw new IllegalArgumentException("one side has no process; give a figure of each");
    }
    double[] a = logarithms(first);
    double[] b = logarithms(second);
    double difference = mean(b) - mean(a);
    double share = Math.expm1(difference);
    if (a.length < 2 || b.length < 2) return single(difference, knownSpread, margin);
    double errorA = variance(a) / a.length;
    double errorB = variance(b) / b.length;
    double half = 0;
    if (errorA + errorB > 0) {
      double freedom =
          Math.pow(errorA + errorB, 2)
              / (errorA * errorA / (a.length - 1) + errorB * errorB / (b.length - 1));
      half =
          TDistribution.of(freedom).inverseSurvivalProbability((1 - CONFIDENCE) / 2)
              * Math.sqrt(errorA + errorB);
    }
    Interval interval = share(new Interval(difference - half, difference + half));
    Verdict verdict = Verdict.on(interval, margin);
    // With many processes a mean is known better than any process repeats it.
    double spread = Math.sqrt(Math.max(variance(a), variance(b)));
    if ((verdict == Verdict.FASTER || verdict == Verdict.SLOWER)
        && Math.abs(difference) <= spread) {
      return new Difference(
          share,
          interval,
          CONFIDENCE,
          Verdict.INCONCLUSIVE,
          "the difference is smaller than that between processes of one program; compare live");
    }
    return new Difference(share, interval, CONFIDENCE, verdict, null);
  }

  private static Difference single(double difference, Double knownSpread, double margin) {
    double share = Math.expm1(difference);
    if (knownSpread == null) {
      return new Difference(
          share,
          null,
          null,
          Verdict.INCONCLUSIVE,
          "one process does not show how processes differ; measure both with --repeats 5");
    }
    if (!(knownSpread >= 0)) {
      throw new IllegalArgumentException("knownSpread must be 0 or more, was " + knownSpread);
    }
    double half = Math.log1p(knownSpread);
    Interval interval = share(new Interval(difference - half, difference + half));
    return new Difference(share, interval, null, Verdict.on(interval, margin), null);
  }

  static Interval share(Interval logarithms) {
    return logarithms == null
        ? null
        : new Interval(Math.expm1(logarithms.low()), Math.expm1(logarithms.high()));
  }

  static double[] logarithms(double[] values) {
    double[] logarithms = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      if (!(values[i] > 0 && Double.isFinite(values[i]))) {
        throw new IllegalArgumentException(
            "value " + i + " is " + values[i] + "; a duration must be finite and above 0");
      }
      logarithms[i] = Math.log(values[i]);
    }
    return logarithms;
  }

  static double mean(double[] values) {
    return DoubleStream.of(values).average().orElseThrow();
  }

  static double variance(double[] values) {
    double mean = mean(values);
    return DoubleStream.of(values).map(x -> (x - mean) * (x - mean)).sum() / (values.length - 1);
  }
}
