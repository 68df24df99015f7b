package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rpx.agent.host.MachineFlag.Code;

/** Which flags a stretch of telemetry raises. The thresholds and their sources: docs/method.md. */
final class MachineFlags {
  /** NVBench's: it throws a sample away whose SM clock is below 75 % of the default one. */
  static final double CLOCK_SHARE = 0.75;

  /** Of the time, waited for a quota. */
  static final double QUOTA_SHARE = 0.01;

  /** Pages in and out that any machine may move in its idle moments: 1 MiB of 4 KiB pages. */
  static final double SWAPPED_PAGES = 256;

  private final TelemetrySummary seen;
  private final List<MachineFlag> flags = new ArrayList<>();

  private MachineFlags(TelemetrySummary seen) {
    this.seen = seen;
  }

  /** As {@link TelemetrySummary#flags} has it. */
  static List<MachineFlag> of(TelemetrySummary seen, Integer threads) {
    MachineFlags flags = new MachineFlags(seen);
    flags.clocks();
    flags.throttled();
    flags.oversubscribed(threads);
    flags.collections();
    flags.swapping();
    flags.governor();
    return List.copyOf(flags.flags);
  }

  private void clocks() {
    List<String> fell = new ArrayList<>();
    // A CPU's own turbo limit is no promise: what counts is its base clock, and that it holds.
    Integer base = seen.cpu().baseMhz();
    Series cpu = seen.series().get("cpu.clock");
    if (cpu != null && cpu.max() != null) {
      fell(fell, "the CPU's clock", cpu, base == null ? cpu.max() : Math.max(base, cpu.max()));
    }
    fell(fell, "the GPU's clock", seen.series().get("gpu.clock"), most("gpu.clock_max"));
    for (Series figure : seen.series().values()) {
      if (figure.name().endsWith(".sm_clock_mhz")) {
        String gpu = figure.name().substring(0, figure.name().indexOf('.'));
        fell(fell, gpu + "'s clock", figure, most(gpu + ".sm_clock_max_mhz"));
      }
    }
    if (!fell.isEmpty()) {
      raise(
          Code.CLOCK_DRIFT,
          String.join("; ", fell),
          "fix the clocks (CPU: governor performance; Jetson: sudo jetson_clocks; other"
              + " GPUs: sudo nvidia-smi -lgc), or warm up for longer");
    }
  }

  private Double most(String name) {
    Series figure = seen.series().get(name);
    return figure == null ? null : figure.max();
  }

  private static void fell(List<String> fell, String what, Series clock, Double could) {
    if (clock != null && clock.min() != null && could != null) {
      if (clock.min() < CLOCK_SHARE * could) {
        fell.add(format("%s fell to %.0f MHz of %.0f MHz", what, clock.min(), could));
      }
    }
  }

  private void throttled() {
    List<String> slowed = new ArrayList<>(seen.gpuSlowed());
    for (Count count : seen.counts().values()) {
      boolean alarm = count.name().startsWith("over_current.");
      boolean heat = count.name().matches("cpu\\.(core|package)_throttled");
      if ((alarm || heat) && count.amount() != null && count.amount() > 0) {
        slowed.add(format("%s %.0f times", count.name(), count.amount()));
      }
    }
    if (!slowed.isEmpty()) {
      raise(
          Code.THROTTLED,
          "the hardware slowed itself down ("
              + String.join(", ", slowed)
              + "), so that the run is not valid",
          "cool the machine, raise its power limit or mode," + " or take a stronger supply");
    }
  }

  private void oversubscribed(Integer threads) {
    Double cores = seen.cpu().coresAvailable();
    List<String> why = new ArrayList<>();
    Double others = seen.load().othersCores();
    Double steal = seen.load().stealCores();
    double taken = (others == null ? 0 : others) + (steal == null ? 0 : steal);
    if (cores != null && taken > Load.CONTENDED_SHARE * cores) {
      why.add(format("others kept %.1f of %.1f cores busy", taken, cores));
    }
    Double waited = amount("cpu.quota_waited");
    if (waited != null && waited > QUOTA_SHARE * seen.seconds()) {
      why.add(format("the container's quota held this process up for %.2f s", waited));
    }
    if (cores != null && threads != null && threads > Math.max(1, Math.floor(cores))) {
      why.add(format("%d threads compute on %.1f cores", threads, cores));
    }
    if (!why.isEmpty()) {
      raise(
          Code.OVERSUBSCRIBED,
          String.join("; ", why),
          "stop other programs, pin this one to cores of its own (--cpus), raise the quota,"
              + " or use fewer threads (--threads)");
    }
  }

  private void collections() {
    Double collections = amount("gc.collections");
    Double millis = amount("gc.time");
    if (collections != null && collections > 0) {
      raise(
          Code.GC_DURING_RUN,
          format("Java's memory was tidied up %.0f times, for %.0f ms", collections, millis),
          "compare the starts of the slowest samples, and give the JVM more memory"
              + " (RPX_JAVA_OPTS=-Xmx1g)");
    }
  }

  private void swapping() {
    Double in = amount("swap.in_pages");
    Double out = amount("swap.out_pages");
    Double faults = amount("process.major_faults");
    double pages = (in == null ? 0 : in) + (out == null ? 0 : out);
    boolean ours = in != null && in > 0 && faults != null && faults > 0;
    if (pages >= SWAPPED_PAGES || ours) {
      raise(
          Code.SWAPPING,
          format("%.0f pages were swapped in and out", pages),
          "free memory, or take a smaller model, batch or precision");
    }
  }

  private void governor() {
    TelemetrySummary.CpuSetting cpu = seen.cpu();
    if (cpu.governor() == null) {
      return;
    }
    boolean changed = !cpu.governor().equals(cpu.governorAtEnd());
    // One clock is all there is to choose from, as jetson_clocks sets it.
    boolean fixed = cpu.minMhz() != null && cpu.minMhz().equals(cpu.maxMhz());
    if (changed || (!cpu.governor().equals("performance") && !fixed)) {
      raise(
          Code.GOVERNOR,
          (changed
              ? "the CPU's governor changed from " + cpu.governor() + " to " + cpu.governorAtEnd()
              : "the CPU's clock follows the load (governor " + cpu.governor() + ")"),
          "sudo cpupower frequency-set -g performance, on a Jetson sudo jetson_clocks");
    }
  }

  private Double amount(String name) {
    Count count = seen.counts().get(name);
    return count == null ? null : count.amount();
  }

  private void raise(Code code, String finding, String remedy) {
    flags.add(new MachineFlag(code, finding, remedy));
  }

  private static String format(String text, Object... values) {
    return String.format(Locale.ROOT, text, values);
  }
}
