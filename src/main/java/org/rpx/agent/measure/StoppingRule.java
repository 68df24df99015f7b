package org.rpx.agent.measure;

import java.time.Duration;
import java.util.Locale;

/**
 * When enough was timed. Whatever is reached first ends it, though never before {@code least} runs.
 *
 * @param least runs at least, however long they take
 * @param most runs at most
 * @param duration no run begins later than this after the first one began; null without a limit
 * @param precision ends it once half of the median's 95 % interval is at most this share of the
 *     median; null without a target
 */
public record StoppingRule(int least, int most, Duration duration, Double precision) {
  /** The default of {@code --iterations}. */
  public static final int ITERATIONS = 1000;

  /** The default of {@code --duration}, save where only a precision is asked for. */
  static final Duration DURATION = Duration.ofSeconds(3);

  /** The default of {@code --precision-target}. */
  public static final double PRECISION = 0.005;

  /** The limit where only a precision is asked for: time to reach it, but not for ever. */
  static final Duration PRECISION_DURATION = Duration.ofSeconds(60);

  /** More runs are never kept. */
  static final int MOST = 10_000_000;

  private static final int LEAST = 10;
  // The 99th percentile needs as many: the default never ends earlier for precision's sake.
  private static final int LEAST_BY_PRECISION = 300;

  /**
   * Checks all four.
   *
   * @throws IllegalArgumentException where limits contradict each other, or one is out of range
   */
  public StoppingRule {
    if (least < 1 || most < least || most > MOST) {
      throw new IllegalArgumentException(
          "runs must be at least 1, at most " + MOST + ", were " + least + " to " + most);
    }
    if (duration != null && (duration.isNegative() || duration.isZero())) {
      throw new IllegalArgumentException("duration must be above 0, was " + duration);
    }
    if (precision != null && !(precision > 0 && precision < 1)) {
      throw new IllegalArgumentException(
          "precision must lie between 0 and 1, was " + precision + "; 1 % is 0.01");
    }
  }

  /** The rule where nothing is asked for: all three defaults. */
  public static final StoppingRule DEFAULT =
      new StoppingRule(LEAST, ITERATIONS, DURATION, PRECISION);

  /**
   * The rule for what is asked for; what is not, is null. One that is asked for replaces the
   * defaults of the others: iterations run however long they take.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public static StoppingRule of(Integer iterations, Duration duration, Double precision) {
    if (iterations == null && duration == null && precision == null) return DEFAULT;
    Duration limit = duration == null && iterations == null ? PRECISION_DURATION : duration;
    return new StoppingRule(1, iterations == null ? MOST : iterations, limit, precision);
  }

  /** What ended the timing. */
  public enum StoppedBy {
    /** The most runs were done. */
    ITERATIONS,
    /** The time was over. */
    DURATION,
    /** The median is known well enough. */
    PRECISION,
    /** Somebody asked to stop. */
    CANCELLED;

    /** As reports write it, in small letters. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The first run from which the precision may end it. */
  int leastByPrecision() {
    return equals(DEFAULT) ? LEAST_BY_PRECISION : Math.max(LEAST, least);
  }
}
