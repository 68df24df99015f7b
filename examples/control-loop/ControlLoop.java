// SPDX-License-Identifier: Apache-2.0

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.rpx.agent.ModelSource;
import org.rpx.agent.Rpx;
import org.rpx.agent.Session;
import org.rpx.agent.SessionOptions;
import org.rpx.agent.monitor.LatencyMonitor;

/** See run.sh. */
public final class ControlLoop {
  private static final long PERIOD_NS = 10_000_000;
  private static final long FAULT_AFTER_NS = 2_000_000_000L;
  // The black box waits 0.3 s for the cycles behind a miss, and looks every 20 ms.
  private static final long REPORT_MS = 1000;
  private static final int WARM_CYCLES = 200;
  private static final int CAMERA = 0;
  private static final int INFER = 1;

  private final Fault fault;
  private final FloatBuffer in;
  private final FloatBuffer out;
  private final Session session;
  private float torque;

  private ControlLoop(Session session, Fault fault) {
    this.session = session;
    this.fault = fault;
    in = session.input(0).asFloatBuffer();
    out = session.output(0).asFloatBuffer();
  }

  public static void main(String[] arguments) throws Exception {
    String fault = "none";
    int seconds = 15;
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      if (arguments[i].equals("--fault")) fault = arguments[i + 1];
      else if (arguments[i].equals("--seconds")) seconds = Integer.parseInt(arguments[i + 1]);
      else wrong(arguments[i]);
    }
    if (arguments.length % 2 == 1) wrong(arguments[arguments.length - 1]);
    Path folder = Files.createTempDirectory("rpx-control-loop-");
    try (Session session =
            Rpx.session(ModelSource.parse("demo:policy_transformer"), SessionOptions.threads(1));
        LatencyMonitor monitor =
            LatencyMonitor.named("policy")
                .period(Duration.ofNanos(PERIOD_NS))
                .deadline(Duration.ofNanos(PERIOD_NS))
                .stages("camera", "infer", "act")
                .blackBox(folder, 4096)
                .build()) {
      new ControlLoop(session, Fault.of(fault)).run(monitor, seconds * 1_000_000_000L);
      Thread.sleep(REPORT_MS);
      System.out.println(monitor.snapshot());
      print(folder);
    }
  }

  private static void wrong(String argument) {
    System.err.println(
        "control-loop: " + argument + "? --fault slow-stage|alloc-storm|cpu-hog, --seconds N");
    System.exit(2);
  }

  /** The loop: nothing in it allocates, locks, logs or throws. */
  private void run(LatencyMonitor monitor, long forNs) {
    // The JIT compiles what follows before anyone measures it.
    for (int i = 0; i < WARM_CYCLES; i++) {
      camera(i, false);
      session.run();
      act();
    }
    monitor.claim();
    long start = System.nanoTime();
    boolean disturbed = false;
    for (long release = start; release - start < forNs; release = next(release)) {
      for (long left; (left = release - System.nanoTime()) > 0; ) LockSupport.parkNanos(left);
      if (!disturbed && release - start >= FAULT_AFTER_NS) {
        fault.begin();
        disturbed = true;
      }
      long cycle = monitor.beginReleased(release);
      camera(cycle, disturbed);
      monitor.mark(CAMERA);
      session.run();
      monitor.mark(INFER);
      act();
      monitor.end(cycle);
    }
    fault.end();
  }

  /** The first release that is still to come: what was missed meanwhile is skipped, not made up. */
  private static long next(long release) {
    long behind = System.nanoTime() - release;
    return release + PERIOD_NS * Math.max(1, (behind + PERIOD_NS - 1) / PERIOD_NS);
  }

  /** A frame that changes with the cycle. Every 25th is late where that is the fault. */
  private void camera(long cycle, boolean disturbed) {
    for (int i = 0; i < in.capacity(); i++) in.put(i, ((cycle + i) & 63) / 64f);
    if (disturbed && fault == Fault.SLOW_STAGE && cycle % 25 == 0)
      LockSupport.parkNanos(2 * PERIOD_NS);
  }

  private void act() {
    torque += 0.1f * (out.get(0) - torque);
  }

  private static void print(Path folder) throws IOException {
    List<Path> reports;
    try (Stream<Path> files = Files.list(folder)) {
      reports = files.filter(f -> f.toString().endsWith(".json")).sorted().toList();
    }
    for (Path file : reports) {
      JsonNode miss = new ObjectMapper().readTree(file.toFile());
      System.out.println(
          "black box: cycle " + miss.at("/miss/cycle") + ": " + miss.get("text").asText());
    }
    if (reports.isEmpty()) System.out.println("black box: no deadline was missed");
    System.out.println("black box: " + folder);
  }

  /** What disturbs the loop. */
  private enum Fault {
    NONE,
    /** The camera is late now and then. */
    SLOW_STAGE,
    /** A thread makes garbage beside 20 MB that it keeps: whole collections, one after the other. */
    ALLOC_STORM {
      @Override
      void work() {
        Object[] kept = new Object[20];
        for (int i = 0; working; i++) {
          Object chain = null;
          for (int n = 0; n < 30_000 && working; n++) chain = new Object[] {chain, null, null, null};
          kept[i % kept.length] = chain;
        }
      }
    },
    /** More busy threads than there are cores. */
    CPU_HOG {
      @Override
      int threads() {
        return 8 * Runtime.getRuntime().availableProcessors();
      }

      @Override
      void work() {
        long n = 0;
        while (working) n++;
        if (n < 0) throw new IllegalStateException();
      }
    };

    static volatile boolean working;

    static Fault of(String name) {
      for (Fault fault : values())
        if (fault.name().equalsIgnoreCase(name.replace('-', '_'))) return fault;
      wrong(name);
      return NONE;
    }

    int threads() {
      return this == ALLOC_STORM ? 1 : 0;
    }

    void work() {}

    void begin() {
      working = true;
      for (int i = 0; i < threads(); i++) {
        Thread thread = new Thread(this::work, "fault");
        thread.setDaemon(true);
        thread.start();
      }
    }

    void end() {
      working = false;
    }
  }
}
