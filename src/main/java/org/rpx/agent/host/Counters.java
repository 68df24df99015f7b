package org.rpx.agent.host;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What only grows while the machine runs: to be read before and after a stretch. */
final class Counters {
  private static final String CPU = "sys/devices/system/cpu/cpu";
  private static final String SELF = "proc/self/";

  private final Tree tree;
  private final String thread;
  private final List<Probe> overCurrent;

  /**
   * @param thread the id of the timed thread; null where it is not known
   */
  Counters(Tree tree, String thread) {
    this.tree = tree;
    this.thread = thread;
    this.overCurrent = OverCurrent.find(tree);
  }

  /** All of them, always the same and in the same order. */
  List<Reading> read() {
    List<Reading> readings = new ArrayList<>();
    String status = SELF + "task/" + thread + "/status";
    readings.add(field("thread.voluntary_switches", status, "voluntary_ctxt_switches"));
    readings.add(field("thread.involuntary_switches", status, "nonvoluntary_ctxt_switches"));
    // minflt and majflt of proc(5), behind the name, which may hold anything.
    String stat = SELF + "task/" + thread + "/stat";
    readings.add(column("thread.minor_faults", stat, 7));
    readings.add(column("thread.major_faults", stat, 9));
    readings.add(column("process.major_faults", SELF + "stat", 9));
    readings.add(word("swap.in_pages", "proc/vmstat", "pswpin", ""));
    readings.add(word("swap.out_pages", "proc/vmstat", "pswpout", ""));
    readings.add(throttled("cpu.core_throttled", "core_throttle_count", false));
    readings.add(throttled("cpu.package_throttled", "package_throttle_count", true));
    readings.add(quota());
    for (Probe alarm : overCurrent) {
      readings.add(alarm.read(tree));
    }
    collections(readings);
    return readings;
  }

  private Reading field(String name, String path, String key) {
    Long count = thread == null ? null : Tree.whole(tree.field(path, key));
    return whole(name, "", path, count);
  }

  private Reading column(String name, String path, int column) {
    String stat = tree.text(path);
    String[] columns =
        stat == null ? new String[0] : stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
    return whole(name, "", path, column < columns.length ? Tree.whole(columns[column]) : null);
  }

  /** A line {@code key number}. */
  private Reading word(String name, String path, String key, String unit) {
    for (String line : tree.lines(path)) {
      if (line.startsWith(key + " ")) {
        return whole(name, unit, path, Tree.whole(line.substring(key.length())));
      }
    }
    return whole(name, unit, path, null);
  }

  /** Of the CPUs that this process may run on; a package's count stands at each of its CPUs. */
  private Reading throttled(String name, String file, boolean ofPackage) {
    BitSet allowed = CpuSet.allowed(tree);
    Set<Long> packages = new HashSet<>();
    Long sum = null;
    for (int cpu = allowed == null ? -1 : allowed.nextSetBit(0);
        cpu >= 0;
        cpu = allowed.nextSetBit(cpu + 1)) {
      Long count = tree.number(CPU + cpu + "/thermal_throttle/" + file);
      Long of = ofPackage ? tree.number(CPU + cpu + "/topology/physical_package_id") : null;
      if (count != null && (!ofPackage || packages.add(of))) {
        sum = (sum == null ? 0 : sum) + count;
      }
    }
    return whole(name, "", CPU + "*/thermal_throttle/" + file, sum);
  }

  /** How long a container's quota kept this process waiting, in s: the longest of its groups. */
  private Reading quota() {
    Reading longest =
        Reading.none(
            "cpu.quota_waited", "s", "/sys/fs/cgroup", State.UNSUPPORTED, "no quota's counter");
    for (String folder : CgroupLimits.cpuFolders(tree)) {
      String path = folder + "/cpu.stat";
      Reading micros = word("cpu.quota_waited", path, "throttled_usec", "s"); // version 2
      Reading nanos = word("cpu.quota_waited", path, "throttled_time", "s"); // version 1
      Reading found = micros.number() == null ? nanos : micros;
      if (found.number() != null) {
        double seconds = found.number() / (micros.number() == null ? 1e9 : 1e6);
        if (longest.number() == null || seconds > longest.number()) {
          longest = Reading.ok(found.name(), seconds, "s", found.source());
        }
      }
    }
    return longest;
  }

  private static void collections(List<Reading> readings) {
    long count = 0;
    long millis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      count += Math.max(0, collector.getCollectionCount());
      millis += Math.max(0, collector.getCollectionTime());
    }
    String source = "GarbageCollectorMXBean";
    readings.add(Reading.ok("gc.collections", count, "", source));
    readings.add(Reading.ok("gc.time", millis, "ms", source));
  }

  private static Reading whole(String name, String unit, String path, Long count) {
    return count == null
        ? Reading.none(name, unit, Tree.source(path), State.UNSUPPORTED, "not told here")
        : Reading.ok(name, count, unit, Tree.source(path));
  }
}
