package org.rpx.agent.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rpx.agent.host.MachineFlag.Code;

/**
 * What a machine is like to measure on: how it is set, and what it did while it was watched with
 * nothing measured. The thresholds are those of {@link MachineFlags}; what those flag while a model
 * runs is known here before it does.
 */
final class MachineChecks {
  /** Of the cores: when others take more, which core a thread gets decides its time. */
  static final double BUSY_SHARE = 0.5;

  /** Of the memory: below it the kernel drops files' pages and begins to swap. */
  static final double FREE_SHARE = 0.1;

  /** Of one core, taken by the watching itself. */
  static final double COST_MS_PER_S = 10;

  private final Tree tree;
  private final TelemetrySummary seen;
  private final HostFacts facts;
  private final List<Check> checks = new ArrayList<>();

  private MachineChecks(Tree tree, TelemetrySummary seen, HostFacts facts) {
    this.tree = tree;
    this.seen = seen;
    this.facts = facts;
  }

  /** As {@link Check#ofMachine} has it. */
  static List<Check> of(Path root, TelemetrySummary seen) {
    return of(new Tree(root), seen, HostFacts.read(root));
  }

  static List<Check> of(Tree tree, TelemetrySummary seen, HostFacts facts) {
    MachineChecks all = new MachineChecks(tree, seen, facts);
    all.cores();
    all.clocks();
    all.heat();
    all.load();
    all.memory();
    all.swap();
    all.timer();
    all.checks.addAll(PowerChecks.of(seen));
    all.cost();
    return List.copyOf(all.checks);
  }

  private void cores() {
    Integer online = facts.logicalCores();
    Integer allowed = facts.coresAllowed();
    Double available = facts.coresAvailable();
    if (available == null) {
      add(Check.warn("cores", "not known", "say how many threads to take (--threads)"));
      return;
    }
    String set = format("%s of %s CPUs allowed", known(allowed), known(online));
    Double quota = CgroupLimits.read(tree, facts.ramBytes()).cores();
    if (quota == null) {
      add(Check.ok("cores", set));
    } else if (quota < 1) {
      add(
          Check.fail(
              "cores",
              format("%s; a quota of %.2f cores stops even one thread in every period", set, quota),
              "raise the container's CPU quota to 1 or more, or give it CPUs (cpuset) instead"));
    } else {
      add(
          Check.warn(
              "cores",
              format("%s; a quota of %.2f cores, beyond which all threads stop", set, quota),
              format(
                  "take at most %d threads (--threads), or give the container CPUs (cpuset) instead",
                  (int) Math.floor(Math.min(quota, available)))));
    }
  }

  private void clocks() {
    TelemetrySummary.CpuSetting cpu = seen.cpu();
    // How far an idle machine's clocks fall says nothing of those under load: no CLOCK_DRIFT here.
    MachineFlag governor = flag(Code.GOVERNOR);
    if (cpu.governor() == null) {
      add(
          Check.warn(
              "clocks",
              "this machine does not tell its CPUs' clocks (most virtual machines do not)",
              "compare models in turns in one run: rpx-agent compare A B"));
    } else if (governor != null) {
      add(check(Check.Mark.WARN, "clocks", governor));
    } else {
      add(
          Check.ok(
              "clocks",
              format(
                  "governor %s, %s to %s MHz",
                  cpu.governor(), known(cpu.minMhz()), known(cpu.maxMhz()))));
    }
  }

  private void heat() {
    MachineFlag throttled = flag(Code.THROTTLED);
    if (throttled != null) {
      add(check(Check.Mark.FAIL, "heat", throttled));
      return;
    }
    double hottest = Double.NEGATIVE_INFINITY;
    for (Series figure : seen.series().values()) {
      boolean heat = figure.name().startsWith("temperature.") && figure.max() != null;
      hottest = heat ? Math.max(hottest, figure.max()) : hottest;
    }
    boolean counted =
        seen.counts().values().stream()
            .anyMatch(
                c ->
                    c.amount() != null
                        && (c.name().contains("_throttled")
                            || c.name().startsWith("over_current.")));
    if (hottest > Double.NEGATIVE_INFINITY) {
      add(Check.ok("heat", format("not throttled now, at most %.0f °C", hottest)));
    } else if (counted) {
      add(Check.ok("heat", "not throttled now; no temperature is told"));
    } else {
      add(Check.none("heat", "neither temperatures nor throttling are told here"));
    }
  }

  private void load() {
    Load load = seen.load();
    Double cores = seen.cpu().coresAvailable();
    if (load.othersCores() == null || cores == null) {
      add(
          Check.warn(
              "load",
              "what other programs do is not told here",
              "measure twice (--repeats 5) and compare"));
      return;
    }
    double steal = load.stealCores() == null ? 0 : load.stealCores();
    double taken = load.othersCores() + steal;
    String busy = format("others keep %.1f of %.1f cores busy", taken, cores);
    if (steal > Load.CONTENDED_SHARE * cores) {
      busy += format(" (%.1f by other virtual machines)", steal);
    }
    String remedy = "stop other programs, or pin this one to cores of its own (taskset, cpuset)";
    if (taken > BUSY_SHARE * cores) {
      add(Check.fail("load", busy, remedy));
    } else if (taken > Load.CONTENDED_SHARE * cores) {
      add(Check.warn("load", busy, remedy));
    } else {
      add(Check.ok("load", busy));
    }
  }

  private void memory() {
    Long all = facts.ramBytes();
    Long free = facts.memoryAvailableBytes();
    if (all == null || free == null) {
      add(Check.none("memory", "not told here"));
      return;
    }
    String text = format("%.1f of %.1f GiB available", HostFacts.gib(free), HostFacts.gib(all));
    Long limit = CgroupLimits.read(tree, all).memoryBytes();
    text +=
        limit == null ? "" : format(", at most %.1f GiB in this container", HostFacts.gib(limit));
    if (free < FREE_SHARE * all) {
      add(Check.warn("memory", text, "free memory, or the machine swaps as a model loads"));
    } else {
      add(Check.ok("memory", text));
    }
  }

  private void swap() {
    MachineFlag swapping = flag(Code.SWAPPING);
    Long total = facts.swapTotalBytes();
    if (swapping != null) {
      add(check(Check.Mark.FAIL, "swap", swapping));
    } else if (total == null) {
      add(Check.none("swap", "not told here"));
    } else if (total == 0) {
      add(Check.ok("swap", "none"));
    } else {
      long used = total - (facts.swapFreeBytes() == null ? total : facts.swapFreeBytes());
      add(
          Check.ok(
              "swap",
              format("quiet; %.1f of %.1f GiB in use", HostFacts.gib(used), HostFacts.gib(total))));
    }
  }

  /** Any source but the processor's own counter is a system call or a slow device away. */
  private void timer() {
    String source = tree.text("sys/devices/system/clocksource/clocksource0/current_clocksource");
    if (source == null) {
      add(Check.none("clock source", "not told here"));
    } else if (List.of("tsc", "arch_sys_counter", "kvm-clock", "hyperv_clocksource_tsc_page")
        .contains(source)) {
      add(Check.ok("clock source", source));
    } else {
      add(
          Check.warn(
              "clock source",
              source + ", which takes about a microsecond to read",
              "boot with clocksource=tsc if the processor's counter is stable (dmesg tells why not)"));
    }
  }

  private void cost() {
    TelemetrySummary.Cost cost = seen.cost();
    String text =
        format(
            "%s ms of CPU time a second, %.1f ms the longest sample",
            cost.cpuMsPerS() == null ? "?" : format("%.1f", cost.cpuMsPerS()),
            cost.longestSampleMs());
    if (cost.cpuMsPerS() != null && cost.cpuMsPerS() > COST_MS_PER_S) {
      add(
          Check.warn(
              "telemetry",
              text,
              "leave a core free for it (--threads), or take runs below 0.25 s, which have none"));
    } else {
      add(Check.ok("telemetry", text));
    }
  }

  private MachineFlag flag(Code code) {
    for (MachineFlag flag : MachineFlags.of(seen, null)) {
      if (flag.code() == code) {
        return flag;
      }
    }
    return null;
  }

  private static Check check(Check.Mark mark, String name, MachineFlag flag) {
    return new Check(name, mark, flag.finding(), flag.remedy());
  }

  private void add(Check check) {
    checks.add(check);
  }

  private static String known(Object value) {
    return value == null ? "?" : value.toString();
  }

  static String format(String text, Object... values) {
    return String.format(Locale.ROOT, text, values);
  }
}
