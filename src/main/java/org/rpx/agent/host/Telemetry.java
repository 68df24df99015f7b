package org.rpx.agent.host;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Watches the machine from a thread of its own while something is timed on another. The timed
 * thread is not touched: its counters are the kernel's, read before and after. A sample is some
 * dozens of small files at {@value #HZ} Hz, and what that takes is measured and part of the
 * summary. A watch is for the thread that started it.
 */
public final class Telemetry {
  /** Samples in a second: enough to see clocks fall, and little beside any load. */
  public static final double HZ = 4;

  private final Tree tree;
  private final LongSupplier nanoClock;
  private final Sensors sensors;
  private final RaplEnergy rapl;
  private final GpuTelemetry gpus;
  private final Counters counters;
  private final CpuClocks clocks;
  private final Map<String, Series.Builder> series = new LinkedHashMap<>();
  private final Map<String, PowerIntegral> energy = new LinkedHashMap<>();
  private final List<Reading> before;
  private final LoadProbe load;
  private final long startNanos;
  private int samples;
  private long longestNanos;
  private long cpuNanos = -1;
  private boolean ended;
  private Thread sampler;

  /**
   * Looks for everything and reads it once, so that the first sample of the thread is no slower.
   */
  Telemetry(Tree tree, String thread, Supplier<List<String>> nvml, LongSupplier nanoClock) {
    this(tree, thread, nvml, List.of(), nanoClock);
  }

  private Telemetry(
      Tree tree,
      String thread,
      Supplier<List<String>> nvml,
      List<Long> ours,
      LongSupplier nanoClock) {
    this.tree = tree;
    this.nanoClock = nanoClock;
    sensors = new Sensors(tree);
    rapl = new RaplEnergy(tree);
    gpus = new GpuTelemetry(nvml);
    counters = new Counters(tree, thread);
    clocks = CpuClocks.read(tree);
    load = LoadProbe.start(tree, ours, nanoClock);
    sample();
    longestNanos = 0;
    before = counters.read();
    startNanos = nanoClock.getAsLong();
  }

  /**
   * Starts to watch, on behalf of the calling thread, which is the one to be timed. Takes some
   * milliseconds, a good part of them once per process. Never throws: what cannot be read says so
   * in the summary.
   *
   * @param root {@code /}, or a recorded machine's files
   * @param nvml asks NVML and returns lines as {@link NvidiaFacts#of} takes them; null where no GPU
   *     takes part
   */
  public static Telemetry start(Path root, Supplier<List<String>> nvml) {
    return start(root, nvml, List.of());
  }

  /**
   * The same where other processes do the work, each of which lasts as long as the watch.
   *
   * @param ours their ids: what they take of the CPUs is not the load of others
   */
  public static Telemetry start(Path root, Supplier<List<String>> nvml, List<Long> ours) {
    Telemetry telemetry = new Telemetry(new Tree(root), thread(root), nvml, ours, System::nanoTime);
    telemetry.sampler = new Thread(telemetry::run, "rpx-telemetry");
    telemetry.sampler.setDaemon(true);
    telemetry.sampler.start();
    return telemetry;
  }

  /** Ends the watch and says what was seen. To be called once, by the thread that started it. */
  public TelemetrySummary stop() {
    double seconds = (nanoClock.getAsLong() - startNanos) / 1e9;
    List<Reading> after = counters.read();
    end();
    sample();
    Map<String, Series> figures = new LinkedHashMap<>();
    series.forEach((name, builder) -> figures.put(name, builder.build()));
    CpuClocks atEnd = CpuClocks.read(tree);
    Double cpuMsPerS = cpuNanos < 0 ? null : (Double) (cpuNanos / 1e6 / seconds);
    return new TelemetrySummary(
        seconds,
        samples,
        figures,
        counts(after),
        gpus.slowed(),
        load.stop(),
        new TelemetrySummary.CpuSetting(
            clocks.governor(),
            atEnd.governor(),
            clocks.minMhz(),
            clocks.maxMhz(),
            CpuClocks.baseMhz(tree),
            HostFacts.coresAvailable(tree)),
        new TelemetrySummary.Cost(cpuMsPerS, longestNanos / 1e6));
  }

  private Map<String, Count> counts(List<Reading> after) {
    List<Count> all = new ArrayList<>();
    for (int i = 0; i < after.size(); i++) {
      all.add(Count.between(before.get(i), after.get(i)));
    }
    all.addAll(rapl.used());
    all.addAll(gpus.used());
    energy.values().forEach(integral -> all.add(integral.used()));
    Map<String, Count> counts = new LinkedHashMap<>();
    // A GPU's own counter comes before what we integrate from its power, where it has one.
    for (Count count : all) {
      Count first = counts.get(count.name());
      if (first == null || (first.amount() == null && count.amount() != null)) {
        counts.put(count.name(), count);
      }
    }
    return counts;
  }

  /** Reads everything once. */
  final synchronized void sample() {
    long start = nanoClock.getAsLong();
    double seconds = start / 1e9;
    List<Reading> readings = new ArrayList<>(sensors.read());
    readings.addAll(gpus.read());
    for (Reading reading : readings) {
      series.computeIfAbsent(reading.name(), name -> new Series.Builder()).add(reading);
      if (reading.name().startsWith("power.") || reading.name().endsWith(".power_mw")) {
        energy.computeIfAbsent(reading.name(), n -> new PowerIntegral()).add(seconds, reading);
      }
    }
    rapl.sample();
    samples++;
    longestNanos = Math.max(longestNanos, nanoClock.getAsLong() - start);
  }

  private void run() {
    long period = (long) (1e9 / HZ);
    for (long next = startNanos + period; !waited(next); next += period) {
      sample();
      // A sample that took longer than a period must not be made up for by a burst.
      next = Math.max(next, nanoClock.getAsLong() - period);
    }
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    cpuNanos = threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime() : -1;
  }

  /** Waits until a moment; true where the watch ended before. */
  private synchronized boolean waited(long until) {
    try {
      for (long left; !ended && (left = until - nanoClock.getAsLong()) > 0; ) {
        wait(left / 1_000_000 + 1);
      }
      return ended;
    } catch (InterruptedException e) {
      return true;
    }
  }

  private void end() {
    synchronized (this) {
      ended = true;
      notifyAll();
    }
    try {
      if (sampler != null) {
        sampler.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The kernel's id of the calling thread; null where Linux does not tell. */
  private static String thread(Path root) {
    try {
      // A link to PID/task/TID.
      return Files.readSymbolicLink(root.resolve("proc/thread-self")).getFileName().toString();
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }
}
