package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * CPU time in seconds, since boot or over a stretch.
 *
 * @param busy by CPU: neither idle nor waiting for I/O, stolen time left out
 * @param steal by CPU: wanted, but given to another virtual machine
 * @param own of this process and those that work for it, all their threads; null if unknown
 */
record CpuTimes(Map<Integer, Double> busy, Map<Integer, Double> steal, Double own) {
  /** What Linux counts CPU time in for programs, whatever the kernel's own timer does. */
  private static final double TICKS_PER_SECOND = 100;

  /**
   * The times so far, on Linux of the CPUs that this process may run on.
   *
   * @param ours ids of processes that work for this one
   */
  static CpuTimes read(Tree tree, List<Long> ours) {
    if (tree.isThisMachine() && !tree.exists("proc/meminfo")) {
      return OshiFacts.times(ours);
    }
    BitSet allowed = CpuSet.allowed(tree);
    Map<Integer, Double> busy = new HashMap<>();
    Map<Integer, Double> steal = new HashMap<>();
    for (String line : tree.lines("proc/stat")) {
      if (!line.startsWith("cpu")) {
        break; // The CPUs come first; after them, thousands of interrupt counts.
      }
      // cpu0 user nice system idle iowait irq softirq steal; guests are within user and nice.
      String[] parts = line.split(" ");
      Long cpu = Tree.whole(parts[0].substring("cpu".length()));
      Double used = seconds(parts, 1, 2, 3, 6, 7);
      Double stolen = seconds(parts, 8);
      // The first line has no number: it is the sum over CPUs, those that are not ours included.
      if (cpu != null && used != null && stolen != null && isIn(allowed, cpu)) {
        busy.put(cpu.intValue(), used);
        steal.put(cpu.intValue(), stolen);
      }
    }
    List<Double> own = new ArrayList<>();
    own.add(own(tree.text("proc/self/stat")));
    for (long id : ours) own.add(own(tree.text("proc/" + id + "/stat")));
    return new CpuTimes(busy, steal, total(own));
  }

  /** What was used between an earlier reading and this one, by CPUs that were on at both. */
  CpuTimes since(CpuTimes start) {
    return new CpuTimes(
        difference(start.busy, busy),
        difference(start.steal, steal),
        own == null || start.own == null ? null : (Double) (own - start.own));
  }

  /** Null where one is. */
  static Double total(List<Double> each) {
    double total = 0;
    for (Double time : each) {
      if (time == null) return null;
      total += time;
    }
    return total;
  }

  /** All CPUs together; null where there are none. */
  static Double sum(Map<Integer, Double> byCpu) {
    double sum = 0;
    for (double time : byCpu.values()) {
      sum += time;
    }
    return byCpu.isEmpty() ? null : (Double) sum;
  }

  private static boolean isIn(BitSet allowed, long cpu) {
    return cpu >= 0 && cpu <= 1 << 20 && (allowed == null || allowed.get((int) cpu));
  }

  /** utime and stime of a stat line, whose second field is a name that may hold anything. */
  private static Double own(String stat) {
    return stat == null
        ? null
        : seconds(stat.substring(stat.lastIndexOf(')') + 1).strip().split(" "), 11, 12);
  }

  /** The sum of some columns of ticks; null unless all are whole numbers. */
  private static Double seconds(String[] parts, int... columns) {
    long ticks = 0;
    for (int column : columns) {
      Long count = column < parts.length ? Tree.whole(parts[column]) : null;
      if (count == null) {
        return null;
      }
      ticks += count;
    }
    return ticks / TICKS_PER_SECOND;
  }

  private static Map<Integer, Double> difference(
      Map<Integer, Double> start, Map<Integer, Double> end) {
    Map<Integer, Double> difference = new HashMap<>();
    for (Map.Entry<Integer, Double> time : end.entrySet()) {
      Double before = start.get(time.getKey());
      if (before != null) {
        difference.put(time.getKey(), time.getValue() - before);
      }
    }
    return difference;
  }
}
