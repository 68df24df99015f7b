package org.rpx.agent;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.rpx.agent.measure.Loop;
import org.rpx.agent.measure.Pace;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.measure.Schedule;
import org.rpx.agent.measure.StoppingRule;
import org.rpx.agent.measure.Timing;
import org.rpx.agent.measure.WarmUp;

/** The timed runs of a plan: back to back, with cold caches, or paced. */
final class TimedRuns {
  // Enough for a median; a model that is slower than that is not sped up by a schedule's pauses.
  private static final int BACK_TO_BACK = 100;
  private static final Duration BACK_TO_BACK_TIME = Duration.ofMillis(500);

  // About what memory takes. It only has to tell runs of seconds from those of milliseconds.
  private static final double FLUSHED_PER_NS = 8;

  private final Plan plan;
  private final LoadedModel model;
  private final boolean events;
  private final Watch watch;
  private final BooleanSupplier cancelled;
  private final Schedule schedule;
  private Samples backToBack;
  private Long flushed;
  private Long floorNs;
  private long[] serviceNs;
  private long[] enqueuedNs;

  /**
   * Nothing runs yet.
   *
   * @param events whether an accelerator's events time the runs; not those that are paced, which
   *     end when the work is done
   */
  TimedRuns(Plan plan, LoadedModel model, boolean events, Watch watch, BooleanSupplier cancelled) {
    this.plan = plan;
    this.model = model;
    this.watch = watch;
    this.cancelled = cancelled;
    schedule =
        plan.rate() == null ? null : Schedule.of(plan.rate(), plan.iterations(), plan.duration());
    this.events = events && schedule == null;
  }

  /** Once warm. What is to happen between the runs does so from here on. */
  void prepare(ReportBuilder report) {
    // Runs that were asked to be none are none.
    boolean warms = plan.warmup() == null || plan.warmup() > 0;
    if (schedule != null && warms)
      backToBack = new SessionWorkload(model, false).time(BACK_TO_BACK, BACK_TO_BACK_TIME);
    if (!events) floorNs = model.session().timerFloorNs();
    Interludes interludes = Interludes.of(plan);
    flushed = interludes.flushedBytes();
    if (interludes.guessed()) report.findings().unknownCache(flushed);
    interludes.begin(model.session());
  }

  /** About how long the runs are going to take, in nanoseconds; 0 where nothing tells. */
  double takesNs(WarmUp.Result warm) {
    if (schedule != null) return schedule.takesNs();
    StoppingRule rule = rule();
    double one = warm.runs() == 0 ? 0 : (double) warm.ns() / warm.runs();
    if (flushed != null) one += flushed / FLUSHED_PER_NS;
    double runs = rule.most() * one;
    return rule.duration() == null ? runs : Math.min(runs, rule.duration().toNanos());
  }

  Timing.Result run() {
    int most = schedule == null ? rule().most() : schedule.runs();
    Duration duration = schedule == null ? rule().duration() : schedule.duration();
    SessionWorkload watched = watched(most, duration);
    try {
      if (schedule == null) {
        Timing.Result result = Timing.run(watched, rule(), cancelled);
        enqueuedNs = watched.enqueuedNs();
        return result;
      }
      Schedule.Result result = schedule.run(watched);
      serviceNs = result.serviceNs();
      return new Timing.Result(result.latencies(), result.stoppedBy());
    } finally {
      model.session().between(0, 0);
    }
  }

  private SessionWorkload watched(int of, Duration duration) {
    long limit = duration == null ? Long.MAX_VALUE : duration.toNanos();
    int[] ran = {0};
    return new SessionWorkload(model, events) {
      @Override
      public Samples time(int n, Duration most) {
        int before = ran[0];
        Samples samples =
            time(
                n,
                most,
                done -> {
                  if (done == null) watch.timed();
                  else watch.timing(() -> before + done.getAsLong(), of, limit);
                });
        ran[0] += samples.count();
        return samples;
      }
    };
  }

  private StoppingRule rule() {
    boolean neither = plan.iterations() == null && plan.duration() == null;
    // Emptying the caches takes longer than most models: as much time, and there would be few runs.
    if (plan.coldCache() && neither && plan.precisionTarget() == null)
      return new StoppingRule(
          StoppingRule.DEFAULT.least(),
          StoppingRule.ITERATIONS,
          Schedule.DURATION,
          StoppingRule.PRECISION);
    return StoppingRule.of(plan.iterations(), plan.duration(), plan.precisionTarget());
  }

  /** Runs before the timed ones, that tell what a pace costs. */
  int backToBackRuns() {
    return backToBack == null ? 0 : backToBack.count();
  }

  /** The host's part of each run on an accelerator; null where each was waited for. */
  long[] enqueuedNs() {
    return enqueuedNs;
  }

  /** A high water without what the caches were emptied with, which was there all the time. */
  Long withoutFlush(Long residentBytes) {
    return residentBytes == null || flushed == null
        ? residentBytes
        : (Long) (residentBytes - flushed);
  }

  /** How the runs were made. */
  Loop loop() {
    Double straight = backToBack == null ? null : backToBack.statistics().median();
    Pace pace = schedule == null ? null : new Pace(schedule.hz(), serviceNs, straight);
    return new Loop(floorNs, flushed, plan.cpus(), pace, plan.inputSets().size());
  }
}
