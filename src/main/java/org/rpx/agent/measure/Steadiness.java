package org.rpx.agent.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Looks for changes of level inside the runs that were meant to be steady. All is reckoned on the
 * logarithm of the durations, from medians: single slow runs, however slow, change nothing.
 */
final class Steadiness {
  /** Fewer runs are not judged. */
  static final int LEAST_RUNS = 50;

  /** A smaller change is not worth a word, however certain. */
  static final double LEAST_SHARE = 0.02;

  // Below it two clock readings differ by chance: a tick of some clocks is 40 ns or more.
  private static final double LEAST_NS = 100;
  // Medians of so many neighbours stand for a longer series.
  private static final int MOST_POINTS = 1 << 13;
  private static final int BLOCKS = 64;
  private static final int LEAST_BLOCK = 5;
  private static final double TWO_MODES_SHARE = 0.05;

  private Steadiness() {}

  /**
   * What changed: empty where the runs are steady, null where there are fewer than {@link
   * #LEAST_RUNS} and nothing can be told.
   */
  static List<LevelChange> changes(Samples samples) {
    int n = samples.count();
    if (n < LEAST_RUNS) return null;
    int width = (n + MOST_POINTS - 1) / MOST_POINTS;
    double[] series = logarithms(samples, width);
    double median = samples.statistics().median();
    double least = Math.log1p(Math.max(LEAST_SHARE, LEAST_NS / Math.max(1, median)));
    List<LevelChange> changes = new ArrayList<>();

    WarmUpTail tail = WarmUpTail.of(series, least);
    if (tail != null) {
      changes.add(
          new LevelChange(
              LevelChange.Kind.WARM_UP, Math.expm1(tail.excess()), tail.ends() * width));
      series = Arrays.copyOfRange(series, tail.ends(), series.length);
    }
    int before = tail == null ? 0 : tail.ends();
    LevelChange rest = step(series, least, before, width);
    if (rest == null) rest = trend(series, least);
    if (rest == null) rest = modes(series, least);
    if (rest != null) changes.add(rest);
    return changes;
  }

  private static LevelChange step(double[] series, double least, int before, int width) {
    int blocks = Math.min(BLOCKS, series.length / LEAST_BLOCK);
    Step step = Step.of(Blocks.medians(series, blocks));
    if (!step.isAbrupt() || Math.abs(step.height()) < least || !step.isCertain(series)) return null;
    int at = before + step.at() * (series.length / blocks);
    return new LevelChange(LevelChange.Kind.SHIFT, Math.expm1(step.height()), at * width);
  }

  private static LevelChange trend(double[] series, double least) {
    Double rise = Trend.rise(series);
    return rise == null || Math.abs(rise) < least
        ? null
        : new LevelChange(LevelChange.Kind.TREND, Math.expm1(rise), 0);
  }

  /** Of the runs themselves, or of blocks where runs scatter more than the levels differ. */
  private static LevelChange modes(double[] series, double least) {
    double[] modes = Modes.of(series);
    if (modes == null && series.length >= BLOCKS * LEAST_BLOCK) {
      modes = Modes.of(Blocks.medians(series, BLOCKS));
    }
    return modes == null || modes[1] - modes[0] < Math.max(least, TWO_MODES_SHARE)
        ? null
        : new LevelChange(LevelChange.Kind.TWO_MODES, Math.expm1(modes[1] - modes[0]), 0);
  }

  private static double[] logarithms(Samples samples, int width) {
    double[] series = new double[samples.count() / width];
    double[] group = new double[width];
    for (int i = 0; i < series.length; i++) {
      for (int j = 0; j < width; j++) group[j] = samples.durationNs(i * width + j);
      series[i] = Math.log(Math.max(1, Blocks.median(group)));
    }
    return series;
  }
}
