package org.rpx.agent.monitor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What Linux says of the writer's thread, its group's quota, heat, clocks and over-current. */
final class LinuxProbe implements MachineProbe {
  private final Path root;
  private volatile Path thread;

  /** Also once there is one, for what its files don't tell. */
  private volatile String whyNoThread = "no cycle has begun yet";

  /**
   * @param root "/", or a recorded tree
   */
  LinuxProbe(Path root) {
    this.root = root;
  }

  @Override
  public void attach() {
    try {
      thread =
          root.resolve("proc").resolve(Files.readSymbolicLink(root.resolve("proc/thread-self")));
    } catch (IOException | UnsupportedOperationException e) {
      whyNoThread = "no /proc/thread-self here";
      return;
    }
    whyNoThread = "the kernel does not tell it of a thread";
  }

  @Override
  public List<MachineFact> facts() {
    List<MachineFact> facts = new ArrayList<>();
    thread(facts);
    quota(facts);
    Path cpus = root.resolve("sys/devices/system/cpu");
    sum(facts, "thermal_throttles", cpus, "cpu[0-9]*", "thermal_throttle/core_throttle_count");
    Path hwmon = root.resolve("sys/class/hwmon");
    sum(
        facts,
        "over_current_events",
        hwmon,
        "hwmon*",
        "oc1_event_cnt",
        "oc2_event_cnt",
        "oc3_event_cnt");
    List<Long> clocks = values(cpus, "cpu[0-9]*", "cpufreq/scaling_cur_freq");
    extreme(facts, "cpu_clock_lowest", "kHz", clocks, false);
    extreme(facts, "cpu_clock_highest", "kHz", clocks, true);
    List<Long> heat = values(root.resolve("sys/class/thermal"), "thermal_zone*", "temp");
    extreme(facts, "temperature_highest", "m°C", heat, true);
    return facts;
  }

  private void thread(List<MachineFact> facts) {
    // After the name in parentheses, which may hold blanks: field 3 and on (proc_pid_stat(5)).
    String stat = read(thread, "stat");
    String fields = stat == null ? null : stat.substring(stat.lastIndexOf(')') + 1);
    ofThread(facts, "minor_faults", "1", word(fields, 10 - 3));
    ofThread(facts, "major_faults", "1", word(fields, 12 - 3));
    String status = read(thread, "status");
    ofThread(facts, "voluntary_switches", "1", field(status, "voluntary_ctxt_switches:"));
    ofThread(facts, "involuntary_switches", "1", field(status, "nonvoluntary_ctxt_switches:"));
    // Nanoseconds on a core, and ready without one (the kernel's sched-stats.rst).
    String sched = read(thread, "schedstat");
    ofThread(facts, "cpu_time", "ns", word(sched, 0));
    ofThread(facts, "waited_for_cpu", "ns", word(sched, 1));
  }

  private void ofThread(List<MachineFact> facts, String name, String unit, String value) {
    counter(facts, "thread_" + name, unit, value, whyNoThread);
  }

  private void quota(List<MachineFact> facts) {
    String group = field(read(root.resolve("proc/self"), "cgroup"), "0::/");
    String stat =
        group == null ? null : read(root.resolve("sys/fs/cgroup").resolve(group), "cpu.stat");
    String none = "no cpu.stat of a version 2 group";
    counter(facts, "quota_throttles", "1", field(stat, "nr_throttled "), none);
    String us = field(stat, "throttled_usec ");
    counter(facts, "quota_throttled_time", "ns", us == null ? null : us + "000", none);
  }

  private static void sum(
      List<MachineFact> facts, String name, Path folder, String each, String... files) {
    List<Long> values = values(folder, each, files);
    if (values.isEmpty())
      facts.add(MachineFact.unknown(name, "1", "no " + files[0] + " below " + folder));
    else facts.add(MachineFact.counter(name, "1", values.stream().mapToLong(v -> v).sum()));
  }

  private static void extreme(
      List<MachineFact> facts, String name, String unit, List<Long> values, boolean highest) {
    if (values.isEmpty()) {
      facts.add(MachineFact.unknown(name, unit, "this machine tells none"));
    } else {
      var stream = values.stream().mapToLong(v -> v);
      facts.add(MachineFact.gauge(name, unit, (highest ? stream.max() : stream.min()).getAsLong()));
    }
  }

  private static void counter(
      List<MachineFact> facts, String name, String unit, String value, String why) {
    Long parsed = number(value);
    facts.add(
        parsed == null
            ? MachineFact.unknown(name, unit, why)
            : MachineFact.counter(name, unit, parsed));
  }

  private static List<Long> values(Path folder, String each, String... files) {
    List<Long> values = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, each)) {
      for (Path one : all) {
        for (String file : files) {
          Long value = number(read(one, file));
          if (value != null) values.add(value);
        }
      }
    } catch (IOException e) {
      // No such folder: nothing is known.
    }
    return values;
  }

  /** A word of a line, from 0; null where it has fewer. */
  private static String word(String line, int number) {
    String[] words = line == null ? new String[0] : line.strip().split("\\s+");
    return number < words.length ? words[number] : null;
  }

  /** What stands behind the words in the first line that begins with them; null without one. */
  private static String field(String text, String words) {
    if (text == null) return null;
    return text.lines()
        .filter(l -> l.startsWith(words))
        .map(l -> l.substring(words.length()).strip())
        .findFirst()
        .orElse(null);
  }

  private static Long number(String text) {
    try {
      return text == null ? null : Long.valueOf(text.strip());
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static String read(Path folder, String file) {
    try {
      return folder == null
          ? null
          : Files.readString(folder.resolve(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return null;
    }
  }
}
