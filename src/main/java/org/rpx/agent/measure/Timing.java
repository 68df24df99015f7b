package org.rpx.agent.measure;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Times a workload in chunks until a {@link StoppingRule} ends it.
 *
 * <p>Between two chunks the samples so far are judged, but seldom: each time half as many more have
 * come. So looking costs little, and rarely finds by chance an interval that is too narrow. Warm
 * the workload up before ({@link WarmUp}).
 */
public final class Timing {
  private static final int CHUNK = 1 << 16;
  private static final double NEXT_LOOK = 1.5;

  private final StoppingRule rule;
  private long[] starts = new long[1024];
  private long[] durations = new long[1024];
  private int count;
  private long spanNs;
  private int nextLook;

  private Timing(StoppingRule rule) {
    this.rule = rule;
    nextLook = rule.precision() == null ? Integer.MAX_VALUE : rule.leastByPrecision();
  }

  /**
   * All runs and what ended them.
   *
   * @param samples in order; the gaps between chunks are missing from the starts
   * @param stoppedBy the limit that was reached
   */
  public record Result(Samples samples, StoppingRule.StoppedBy stoppedBy) {}

  /**
   * Runs the workload until the rule ends it. Time is the workload's own.
   *
   * @param cancelled asked between two chunks
   */
  public static Result run(Workload workload, StoppingRule rule, BooleanSupplier cancelled) {
    Timing timing = new Timing(rule);
    StoppingRule.StoppedBy stoppedBy = null;
    while (stoppedBy == null) {
      if (cancelled.getAsBoolean()) stoppedBy = StoppingRule.StoppedBy.CANCELLED;
      else {
        timing.add(workload.time(timing.nextRuns(), timing.nextLimit()));
        stoppedBy = timing.stoppedBy();
      }
    }
    return new Result(timing.samples(), stoppedBy);
  }

  private int nextRuns() {
    int most = Math.min(rule.most(), nextLook) - count;
    if (leftNs() <= 0) most = rule.least() - count;
    return Math.max(1, Math.min(CHUNK, most));
  }

  private Duration nextLimit() {
    return leftNs() <= 0 ? Duration.ofNanos(Long.MAX_VALUE) : Duration.ofNanos(leftNs());
  }

  private long leftNs() {
    return rule.duration() == null ? Long.MAX_VALUE : rule.duration().toNanos() - spanNs;
  }

  private StoppingRule.StoppedBy stoppedBy() {
    if (count < rule.least()) return null;
    if (count >= rule.most()) return StoppingRule.StoppedBy.ITERATIONS;
    if (count >= nextLook) {
      Double half = Percentiles.of(samples()).at(50).relativeHalfWidth();
      if (half != null && half <= rule.precision()) return StoppingRule.StoppedBy.PRECISION;
      nextLook = (int) Math.min(rule.most(), Math.ceil(count * NEXT_LOOK));
    }
    return leftNs() <= 0 ? StoppingRule.StoppedBy.DURATION : null;
  }

  private void add(Samples chunk) {
    if (count + chunk.count() > starts.length) {
      int room = Math.max(count + chunk.count(), (int) Math.min(rule.most(), starts.length * 2L));
      starts = Arrays.copyOf(starts, room);
      durations = Arrays.copyOf(durations, room);
    }
    for (int i = 0; i < chunk.count(); i++, count++) {
      starts[count] = spanNs + chunk.startNs(i);
      durations[count] = chunk.durationNs(i);
    }
    spanNs += chunk.spanNs();
  }

  private Samples samples() {
    return new Samples(starts, durations, count);
  }
}
