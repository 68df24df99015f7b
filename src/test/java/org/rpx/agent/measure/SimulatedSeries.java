package org.rpx.agent.measure;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.statistics.distribution.NormalDistribution;

/** Durations whose true percentiles are known, in nanoseconds around one millisecond. */
final class SimulatedSeries {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);
  static final double MS = 1e6;

  private SimulatedSeries() {}

  interface Kind {
    double[] draw(int n, Random random);
  }

  /** exp(N(0, sigma)) of a millisecond. */
  static Kind lognormal(double sigma) {
    return (n, random) -> fill(n, i -> MS * Math.exp(sigma * random.nextGaussian()));
  }

  static double lognormalPercentile(double sigma, double p) {
    return MS * Math.exp(sigma * NORMAL.inverseCumulativeProbability(p / 100));
  }

  /** Nine runs in ten as above with sigma 0.05; one is held up: Pareto from 1.2 ms, index 1.5. */
  static Kind heavyTailed() {
    return (n, random) ->
        fill(
            n,
            i ->
                random.nextDouble() < 0.1
                    ? 1.2 * MS * Math.pow(1 - random.nextDouble(), -1 / 1.5)
                    : MS * Math.exp(0.05 * random.nextGaussian()));
  }

  static double heavyTailedPercentile(double p) {
    return root(
        x ->
            0.9 * NORMAL.cumulativeProbability(Math.log(x / MS) / 0.05)
                + (x < 1.2 * MS ? 0 : 0.1 * (1 - Math.pow(1.2 * MS / x, 1.5))),
        p / 100);
  }

  /** Lognormal too, but each resembles the one before: AR(1) of the logarithm. */
  static Kind autoregressive(double phi, double sigma) {
    return (n, random) -> {
      double[] z = {random.nextGaussian()};
      return fill(
          n,
          i -> {
            double now = z[0];
            z[0] = phi * now + Math.sqrt(1 - phi * phi) * random.nextGaussian();
            return MS * Math.exp(sigma * now);
          });
    };
  }

  /**
   * 1 ms or 1.3 ms, each with a lognormal spread of 0.03; it changes over with probability {@code
   * change} a run. A half is drawn anew each time.
   */
  static Kind twoModes(double change) {
    return (n, random) -> {
      boolean[] slow = {random.nextBoolean()};
      return fill(
          n,
          i -> {
            if (random.nextDouble() < change) slow[0] = !slow[0];
            return (slow[0] ? 1.3 : 1) * MS * Math.exp(0.03 * random.nextGaussian());
          });
    };
  }

  static double twoModesPercentile(double p) {
    return root(
        x ->
            0.5 * NORMAL.cumulativeProbability(Math.log(x / MS) / 0.03)
                + 0.5 * NORMAL.cumulativeProbability(Math.log(x / MS / 1.3) / 0.03),
        p / 100);
  }

  /** Another kind, slower by {@code share} at the end, in a straight line. */
  static Kind drifting(Kind base, double share) {
    return scaled(base, (at, n) -> 1 + share * at / n);
  }

  /**
   * Another kind, that starts at {@code 1 + extra} times and falls by a factor e in {@code runs}.
   */
  static Kind warmingUp(Kind base, double extra, double runs) {
    return scaled(base, (at, n) -> 1 + extra * Math.exp(-at / runs));
  }

  /** Another kind, slower by {@code share} from there on. */
  static Kind stepping(Kind base, double share, double from) {
    return scaled(base, (at, n) -> at >= from * n ? 1 + share : 1);
  }

  interface Level {
    double at(double i, double n);
  }

  static Kind scaled(Kind base, Level level) {
    return (n, random) -> {
      double[] x = base.draw(n, random);
      for (int i = 0; i < n; i++) x[i] *= level.at(i, n);
      return x;
    };
  }

  /** Back to back, as the timed loop hands them over. */
  static Samples samples(double[] durations) {
    long[] starts = new long[durations.length];
    long[] ns = new long[durations.length];
    long at = 0;
    for (int i = 0; i < ns.length; i++) {
      starts[i] = at;
      ns[i] = Math.round(durations[i]);
      at += ns[i];
    }
    return new Samples(starts, ns, ns.length);
  }

  private static double[] fill(int n, DoubleUnaryOperator value) {
    double[] x = new double[n];
    for (int i = 0; i < n; i++) x[i] = value.applyAsDouble(i);
    return x;
  }

  private static double root(DoubleUnaryOperator cdf, double q) {
    double low = 0;
    double high = 1e12;
    for (int i = 0; i < 200; i++) {
      double middle = (low + high) / 2;
      if (cdf.applyAsDouble(middle) < q) low = middle;
      else high = middle;
    }
    return high;
  }
}
