package org.rpx.agent.monitor;

/** All that is counted of a span of cycles. One thread at a time. */
final class Tally {
  final Histogram whole = new Histogram();
  final Histogram[] stages;

  /** Begin after release: the jitter against the schedule. */
  final Histogram lateness = new Histogram();

  final Histogram device = new Histogram();
  long misses;

  /** The longest run of misses that reached into the span, with what lay before it. */
  long longestMissRun;

  long skipped;
  long extra;

  Tally(int stages) {
    this.stages = new Histogram[stages];
    for (int i = 0; i < stages; i++) this.stages[i] = new Histogram();
  }

  void add(Tally other) {
    whole.add(other.whole);
    for (int i = 0; i < stages.length; i++) stages[i].add(other.stages[i]);
    lateness.add(other.lateness);
    device.add(other.device);
    misses += other.misses;
    longestMissRun = Math.max(longestMissRun, other.longestMissRun);
    skipped += other.skipped;
    extra += other.extra;
  }

  void clear() {
    whole.clear();
    for (Histogram stage : stages) stage.clear();
    lateness.clear();
    device.clear();
    misses = 0;
    longestMissRun = 0;
    skipped = 0;
    extra = 0;
  }
}
