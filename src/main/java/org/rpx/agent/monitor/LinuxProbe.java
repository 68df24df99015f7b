package org.rpx.agent.monitor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** What Linux says of the writer's thread, its group's quota, throttling, clocks, over-current. */
final class LinuxProbe implements MachineProbe {
  private final Path root;
  private final KernelFile quota;
  private final List<KernelFile> throttles;
  private final List<KernelFile> overCurrents;
  private final List<KernelFile> clocks;
  private volatile Path thread;

  /** Why a fact of the thread is unknown, where it is. */
  private volatile String why = "no cycle has begun yet";

  private Path opened;
  private KernelFile stat;
  private KernelFile status;
  private KernelFile schedstat;

  /**
   * @param root "/", or a recorded tree
   */
  LinuxProbe(Path root) {
    this.root = root;
    quota = quota();
    Path cpus = root.resolve("sys/devices/system/cpu");
    throttles = all(cpus, "cpu[0-9]*", "thermal_throttle/core_throttle_count");
    clocks = all(cpus, "cpu[0-9]*", "cpufreq/scaling_cur_freq");
    // A Jetson's soctherm.
    Path sensors = root.resolve("sys/class/hwmon");
    overCurrents = all(sensors, "hwmon*", "oc1_event_cnt", "oc2_event_cnt", "oc3_event_cnt");
  }

  @Override
  public void attach() {
    try {
      Path link = Files.readSymbolicLink(root.resolve("proc/thread-self"));
      thread = root.resolve("proc").resolve(link);
      why = "the kernel does not tell it of a thread";
    } catch (IOException | UnsupportedOperationException e) {
      why = "no /proc/thread-self here";
    }
  }

  @Override
  public List<MachineFact> facts() {
    List<MachineFact> facts = new ArrayList<>();
    thread(facts);
    String cpu = text(quota);
    String none = "no cpu.stat of a version 2 group";
    counter(facts, "quota_throttles", "1", field(cpu, "nr_throttled "), none);
    String us = field(cpu, "throttled_usec ");
    counter(facts, "quota_throttled_time", "ns", us == null ? null : us + "000", none);
    sum(facts, "thermal_throttles", throttles);
    sum(facts, "over_current_events", overCurrents);
    List<Long> kHz = values(clocks);
    gauge(facts, "cpu_clock_lowest", kHz.stream().mapToLong(v -> v).min());
    gauge(facts, "cpu_clock_highest", kHz.stream().mapToLong(v -> v).max());
    return facts;
  }

  private void thread(List<MachineFact> facts) {
    Path now = thread;
    if (now != null && !now.equals(opened)) {
      closeThread();
      stat = KernelFile.open(now.resolve("stat"));
      status = KernelFile.open(now.resolve("status"));
      schedstat = KernelFile.open(now.resolve("schedstat"));
      opened = now;
    }
    // After the name in parentheses, which may hold blanks: field 3 and on (proc_pid_stat(5)).
    String fields = text(stat);
    if (fields != null) fields = fields.substring(fields.lastIndexOf(')') + 1);
    ofThread(facts, "minor_faults", "1", word(fields, 10 - 3));
    ofThread(facts, "major_faults", "1", word(fields, 12 - 3));
    String lines = text(status);
    ofThread(facts, "voluntary_switches", "1", field(lines, "voluntary_ctxt_switches:"));
    ofThread(facts, "involuntary_switches", "1", field(lines, "nonvoluntary_ctxt_switches:"));
    // Nanoseconds on a core, and ready without one (the kernel's sched-stats.rst).
    String times = text(schedstat);
    ofThread(facts, "cpu_time", "ns", word(times, 0));
    ofThread(facts, "waited_for_cpu", "ns", word(times, 1));
  }

  private void ofThread(List<MachineFact> facts, String name, String unit, String value) {
    counter(facts, "thread_" + name, unit, value, why);
  }

  private KernelFile quota() {
    KernelFile groups = KernelFile.open(root.resolve("proc/self/cgroup"));
    String group = field(text(groups), "0::/");
    if (groups != null) groups.close();
    if (group == null) return null;
    return KernelFile.open(root.resolve("sys/fs/cgroup").resolve(group).resolve("cpu.stat"));
  }

  private static void sum(List<MachineFact> facts, String name, List<KernelFile> files) {
    List<Long> values = values(files);
    facts.add(
        values.isEmpty()
            ? MachineFact.unknown(name, "1", "this machine does not count them")
            : MachineFact.counter(name, "1", values.stream().mapToLong(v -> v).sum()));
  }

  private static void gauge(List<MachineFact> facts, String name, OptionalLong value) {
    facts.add(
        value.isEmpty()
            ? MachineFact.unknown(name, "kHz", "no cpufreq here")
            : MachineFact.gauge(name, "kHz", value.getAsLong()));
  }

  private static void counter(
      List<MachineFact> facts, String name, String unit, String value, String why) {
    Long parsed = number(value);
    facts.add(
        parsed == null
            ? MachineFact.unknown(name, unit, why)
            : MachineFact.counter(name, unit, parsed));
  }

  /** Files below each folder that fits; those that are there. */
  private static List<KernelFile> all(Path folder, String each, String... files) {
    List<KernelFile> found = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(folder, each)) {
      for (Path one : folders) {
        for (String file : files) {
          KernelFile opened = KernelFile.open(one.resolve(file));
          if (opened != null) found.add(opened);
        }
      }
    } catch (IOException e) {
      // No such folder: nothing is known.
    }
    return found;
  }

  private static List<Long> values(List<KernelFile> files) {
    List<Long> values = new ArrayList<>(files.size());
    for (KernelFile file : files) {
      Long value = number(file.text());
      if (value != null) values.add(value);
    }
    return values;
  }

  private static String text(KernelFile file) {
    return file == null ? null : file.text();
  }

  /** A word of a line, from 0; null where it has fewer. */
  private static String word(String line, int number) {
    String[] words = line == null ? new String[0] : line.strip().split(" ");
    return number < words.length ? words[number] : null;
  }

  /** What stands behind the words in the line that begins with them; null without one. */
  private static String field(String text, String words) {
    if (text == null) return null;
    int at = text.startsWith(words) ? 0 : text.indexOf("\n" + words) + 1;
    if (at == 0 && !text.startsWith(words)) return null;
    int end = text.indexOf('\n', at);
    return text.substring(at + words.length(), end < 0 ? text.length() : end).strip();
  }

  private static Long number(String text) {
    try {
      return text == null ? null : Long.valueOf(text.strip());
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private void closeThread() {
    for (KernelFile file : new KernelFile[] {stat, status, schedstat})
      if (file != null) file.close();
  }

  @Override
  public void close() {
    closeThread();
    if (quota != null) quota.close();
    for (List<KernelFile> each : List.of(throttles, overCurrents, clocks)) {
      each.forEach(KernelFile::close);
    }
  }
}
