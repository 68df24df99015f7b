package org.rpx.agent.monitor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Optional;

/** A black box's own thread: samples the machine, and writes a report after a missed deadline. */
final class MissWatch implements Runnable {
  private static final long MS = 1_000_000;
  private static final long LOOK_MS = 20;
  private static final long SAMPLE_NANOS = 200 * MS;

  /** Enough for a cycle of three seconds to have a sample from before. */
  private static final int SAMPLES = 16;

  /** How long a report waits for the cycles after the miss. */
  private static final long AFTERMATH_MS = 300;

  private static final long PAUSE_NANOS = 10_000 * MS;
  static final int MOST_REPORTS = 32;

  private final Path path;
  private final ByteBuffer memory;
  private final RingWriter ring;
  private final Probes probes;
  private final long start;
  private final ArrayDeque<Probes.Sample> samples = new ArrayDeque<>();
  private volatile Thread thread;
  private volatile long reports;
  private volatile String problem;
  private long seen;
  private boolean tried;
  private long lastTry;

  MissWatch(Path path, ByteBuffer memory, RingWriter ring, Probes probes, long start) {
    this.path = path;
    this.memory = memory;
    this.ring = ring;
    this.probes = probes;
    this.start = start;
  }

  void start(String name) {
    Thread started = new Thread(this, "rpx-blackbox-" + name);
    started.setDaemon(true);
    thread = started;
    started.start();
  }

  void attach() {
    probes.attach();
  }

  @Override
  public void run() {
    try {
      while (thread == Thread.currentThread()) {
        if (ring.lastMiss() != seen) missed();
        Probes.Sample last = samples.peekLast();
        if (last == null || System.nanoTime() - last.end() >= SAMPLE_NANOS) {
          if (samples.size() == SAMPLES) samples.remove();
          samples.add(probes.sample());
        }
        Thread.sleep(LOOK_MS);
      }
    } catch (InterruptedException e) {
      // close() wants it to end.
    } catch (Throwable e) {
      problem = "miss reports have ended: " + e;
    }
  }

  private void missed() throws InterruptedException {
    boolean due = !tried || System.nanoTime() - lastTry >= PAUSE_NANOS;
    if (!due || reports >= MOST_REPORTS) {
      // No look at the machine either: a loop in trouble is to be left alone.
      seen = ring.lastMiss();
      return;
    }
    long first = seen + 1;
    Probes.Sample after = probes.sample();
    Thread.sleep(AFTERMATH_MS);
    tried = true;
    lastTry = after.end();
    seen = ring.lastMiss();
    try {
      report(first, after);
    } catch (IOException e) {
      problem = "no report of a missed deadline: " + e;
    }
  }

  private void report(long first, Probes.Sample after) throws IOException {
    BlackBoxFile now = copy();
    // The first since the last look: what follows may be its echo. It may be overwritten by now.
    Optional<Cycle> missed =
        now.cycles().stream().filter(c -> c.missed() && c.number() >= first).findFirst();
    if (missed.isEmpty()) return;
    String text =
        new MissReport(now, start)
            .write(missed.get(), before(missed.get(), after), after, probes.events(), unreported());
    Path file = path.resolveSibling(BlackBox.name(path) + ".miss-" + (reports + 1) + ".json");
    Path beside = path.resolveSibling("." + file.getFileName() + "." + now.pid());
    try {
      Files.writeString(beside, text);
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(beside);
    }
    reports++;
    problem = null;
  }

  /** The last sample from before the cycle; the oldest there is where all are later. */
  private Probes.Sample before(Cycle missed, Probes.Sample after) {
    Probes.Sample best = samples.isEmpty() ? after : samples.peekFirst();
    if (missed.beginNanos() == null) return samples.isEmpty() ? after : samples.peekLast();
    for (Probes.Sample each : samples) {
      if (each.end() - start <= missed.beginNanos()) best = each;
    }
    return best;
  }

  private BlackBoxFile copy() throws BlackBoxException {
    byte[] bytes = new byte[memory.capacity()];
    memory.duplicate().clear().get(bytes);
    return BlackBoxFile.decode(path, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  long reports() {
    return reports;
  }

  long unreported() {
    return Math.max(0, ring.missCount() - reports);
  }

  String problem() {
    return problem != null ? problem : probes.problem();
  }

  void close() {
    Thread running = thread;
    if (running == null) return;
    thread = null;
    running.interrupt();
    try {
      running.join(1000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    probes.close();
  }
}
