package org.rpx.agent.monitor;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Measures a control loop from within, for good: {@link #begin}, {@link #mark} after each stage,
 * {@link #end}; or {@link #record} of what was measured elsewhere.
 *
 * <p>One thread writes: the first that calls one of these, until it ends or another one {@link
 * #claim}s. These calls are wait-free, allocate nothing, make no system call but the clock's and
 * throw nothing; wrong use is counted and shown in the snapshot. The first call of a thread claims
 * the monitor for it, which takes a lock and may read files: claim before the loop goes live.
 * {@link #snapshot} and {@link #close} may be called from any thread. All times are {@link
 * System#nanoTime}.
 */
public final class LatencyMonitor implements AutoCloseable {
  /** The number of no cycle: what begin returns to a thread that is not the writer. */
  private static final long NO_CYCLE = 0;

  private static final long LONGEST = 1L << 53;

  private final MonitorBuilder settings;
  private final int stages;
  private final long deadline;
  private final boolean paced;
  private final ReleaseSchedule schedule;
  private final Exchange exchange;
  private final AtomicLongArray misuse = new AtomicLongArray(Misuse.values().length);
  private final Totals totals;
  private final BlackBox box;

  /** Null where there is no black box, or it could not be opened. */
  private final RingWriter ring;

  private final CycleEvent event = FlightRecorder.cycleEvent();

  private Thread owner;

  // The writer's own, and nobody else's.
  private final long[] ends;
  private boolean open;
  private long cycles;
  private long beginning;
  private long due;
  private boolean released;
  private int last;
  private long deviceTime;
  private long skipped;
  private long extras;
  private long missRun;
  private long misses;
  private long allSkipped;

  LatencyMonitor(MonitorBuilder settings) {
    this.settings = settings;
    stages = settings.stages.size();
    deadline = settings.deadline;
    paced = settings.period > 0;
    schedule = new ReleaseSchedule(settings.period);
    exchange = new Exchange(stages);
    ends = new long[stages];
    long now = System.nanoTime();
    totals = new Totals(settings, exchange, now);
    box = settings.blackBoxCycles == 0 ? null : BlackBox.open(settings, now);
    ring = box == null ? null : box.ring();
  }

  /**
   * Starts the description of a monitor.
   *
   * @param name 1 to 64 of A-Z a-z 0-9 . _ - and no dot in front: it names files too
   */
  public static MonitorBuilder named(String name) {
    return new MonitorBuilder(name);
  }

  /** A cycle begins now. Its number, for {@link #end}; 0 on a thread that is not the writer. */
  public long begin() {
    if (Thread.currentThread() != owner && !admitted()) return NO_CYCLE;
    return begin(System.nanoTime());
  }

  /**
   * A cycle begins now that was due at {@code releaseNanos}, as a loop that paces itself knows.
   * Jitter and the deadline count from there, so that queueing is not hidden.
   */
  public long beginReleased(long releaseNanos) {
    if (Thread.currentThread() != owner && !admitted()) return NO_CYCLE;
    return beginReleased(System.nanoTime(), releaseNanos);
  }

  /** Stage {@code stage}, from 0, ends now; it began where the last one marked ended. */
  public void mark(int stage) {
    mark(stage, System.nanoTime());
  }

  /**
   * The cycle ends now, and with it the last stage where only that was not marked. A stage that was
   * left out has no sample of this cycle.
   *
   * @param cycle what {@link #begin} returned
   */
  public void end(long cycle) {
    end(cycle, System.nanoTime());
  }

  long begin(long now) {
    if (Thread.currentThread() != owner && !admitted()) return NO_CYCLE;
    due = now;
    released = false;
    if (paced) skipped += schedule.begin(now);
    return opened(now);
  }

  long beginReleased(long now, long release) {
    if (Thread.currentThread() != owner && !admitted()) return NO_CYCLE;
    due = release;
    released = true;
    skipped += schedule.begin(now, release);
    return opened(now);
  }

  private long opened(long now) {
    if (schedule.extra) extras++;
    if (open) count(Misuse.BEGIN_WITHOUT_END);
    open = true;
    last = -1;
    deviceTime = Ring.NONE;
    beginning = now;
    if (event != null && event.isEnabled()) event.begin();
    return cycles + 1;
  }

  void mark(int stage, long now) {
    if (Thread.currentThread() != owner && !admitted()) return;
    if (!open) {
      count(Misuse.MARK_WITHOUT_BEGIN);
    } else if (stage <= last || stage >= stages) {
      count(Misuse.MARK_OUT_OF_ORDER);
    } else {
      for (int i = last + 1; i < stage; i++) ends[i] = Ring.NONE;
      ends[stage] = now;
      last = stage;
    }
  }

  void end(long cycle, long now) {
    if (Thread.currentThread() != owner && !admitted()) return;
    if (!open || cycle != cycles + 1) {
      count(Misuse.END_WITHOUT_BEGIN);
      return;
    }
    open = false;
    cycles = cycle;
    if (last == stages - 2) ends[++last] = now;
    for (int i = last + 1; i < stages; i++) ends[i] = Ring.NONE;
    long late = schedule.extra || !(paced || released) ? Ring.NONE : schedule.lateness;
    finished(Math.max(0, now - beginning), now - due, late);
    if (ring != null) {
      ring.write(
          cycle, beginning, now - beginning, late, deviceTime, misses, missRun, allSkipped, ends);
    }
    if (event != null && event.isEnabled()) {
      event.ended(settings, cycle, beginning, missRun > 0, late, deviceTime, ends);
    }
  }

  /**
   * A whole cycle that was measured elsewhere.
   *
   * @param nanos its duration, 0 to 2<sup>53</sup>
   */
  public void record(long nanos) {
    if (Thread.currentThread() != owner && !admitted()) return;
    if (nanos < 0 || nanos > LONGEST) {
      count(Misuse.BAD_VALUE);
      return;
    }
    if (open) {
      count(Misuse.BEGIN_WITHOUT_END);
      open = false;
    }
    cycles++;
    last = -1;
    deviceTime = Ring.NONE;
    finished(nanos, nanos, Ring.NONE);
    if (ring != null) ring.write(cycles, nanos, misses, missRun, allSkipped);
  }

  /** Counts a cycle, its stages as {@link #ends} has them. */
  private void finished(long whole, long sinceDue, long late) {
    boolean missed = deadline > 0 && sinceDue > deadline;
    missRun = missed ? missRun + 1 : 0;
    Tally tally = exchange.enter();
    tally.whole.add(whole);
    long from = beginning;
    for (int i = 0; i <= last; i++) {
      long to = ends[i];
      if (to != Ring.NONE) {
        tally.stages[i].add(Math.max(0, to - from));
        from = to;
      }
    }
    if (late != Ring.NONE) tally.lateness.add(late);
    if (deviceTime != Ring.NONE) tally.device.add(deviceTime);
    if (missed) {
      misses++;
      tally.misses++;
      if (missRun > tally.longestMissRun) tally.longestMissRun = missRun;
    }
    if (skipped + extras != 0) {
      tally.skipped += skipped;
      tally.extra += extras;
      allSkipped += skipped;
      skipped = 0;
      extras = 0;
    }
    exchange.leave();
  }

  /**
   * How long the device worked for a cycle, where that became known: for the open one, or for one
   * of those still in the black box.
   *
   * @param cycle what {@link #begin} returned for it
   * @param nanos 0 to 2<sup>53</sup>
   */
  public void device(long cycle, long nanos) {
    if (Thread.currentThread() != owner && !admitted()) return;
    if (nanos < 0 || nanos > LONGEST || cycle < 1 || cycle > cycles + (open ? 1 : 0)) {
      count(Misuse.BAD_VALUE);
    } else if (cycle > cycles) {
      deviceTime = nanos;
    } else {
      exchange.enter().device.add(nanos);
      exchange.leave();
      if (ring != null) ring.device(cycle, nanos);
    }
  }

  /**
   * Makes the calling thread the writer, which must be the only one from here on: the thread that
   * wrote before has stopped doing so.
   */
  public void claim() {
    synchronized (misuse) {
      open = false;
      if (box != null) box.attach();
      owner = Thread.currentThread();
    }
  }

  /** What was measured so far. Never disturbs the writer; readers wait for each other. */
  public MonitorSnapshot snapshot() {
    BlackBoxState state = box == null ? null : box.state();
    Thread writer = owner;
    String thread = writer == null ? null : writer.getName();
    return totals.snapshot(System.nanoTime(), thread, WrongUse.of(misuse), state);
  }

  /** All histograms since the start, for exporters; any thread, as {@link #snapshot}. */
  public List<BucketCounts> buckets() {
    return totals.buckets();
  }

  /** Ends the black box's own thread; its file stays. The loop may go on. */
  @Override
  public void close() {
    if (box != null) box.close();
  }

  /** Whether the calling thread may write. Off the hot path: it isn't the known writer. */
  private boolean admitted() {
    synchronized (misuse) {
      if (owner == Thread.currentThread()) return true;
      if (owner == null || !owner.isAlive()) {
        claim();
        return true;
      }
    }
    count(Misuse.OTHER_THREAD);
    return false;
  }

  private void count(Misuse kind) {
    misuse.getAndIncrement(kind.ordinal());
  }

  /** Where the black box lies, if there is one. */
  public Optional<Path> blackBox() {
    return box == null ? Optional.empty() : Optional.of(box.path());
  }

  /** The name it was given. */
  public String name() {
    return settings.name;
  }
}
