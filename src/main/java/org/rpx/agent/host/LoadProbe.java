package org.rpx.agent.host;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Tells what other processes did while something ran: whether a measurement had the machine to
 * itself.
 *
 * <p>Linux counts CPU time in ticks of 1/100 s. Over a stretch of s seconds each CPU's count may be
 * a tick off, so a mean is sure to about cpus / (100 s) cores, and nothing is said of stretches
 * below {@value #MIN_SECONDS} s. Only the CPUs that this process may run on are counted; a
 * container sees the whole machine's, and so do we: its neighbours on these CPUs are others too.
 *
 * <p>Starting and stopping read a few files, one of them per thread: some milliseconds at worst, to
 * be kept outside what is timed. For one thread at a time.
 */
public final class LoadProbe {
  /** The shortest stretch that core counts are given for, in s. */
  public static final double MIN_SECONDS = 0.2;

  private final Tree tree;
  private final List<Long> ours;
  private final LongSupplier nanoClock;
  private final Map<String, Long> switches;
  private final CpuTimes times;
  private final long startNanos;

  private LoadProbe(Tree tree, List<Long> ours, LongSupplier nanoClock) {
    this.tree = tree;
    this.ours = ours;
    this.nanoClock = nanoClock;
    this.switches = switches(tree);
    this.times = CpuTimes.read(tree, ours);
    this.startNanos = nanoClock.getAsLong();
  }

  /**
   * Starts a stretch. Never throws: what cannot be read is null in the load.
   *
   * @param root {@code /}, or a recorded machine's files; OSHI is asked where {@code /} has no
   *     Linux {@code proc}
   */
  public static LoadProbe start(Path root) {
    return start(root, System::nanoTime);
  }

  static LoadProbe start(Path root, LongSupplier nanoClock) {
    return start(new Tree(root), List.of(), nanoClock);
  }

  /** {@code ours}: ids of processes that work for this one, and are not others. */
  static LoadProbe start(Tree tree, List<Long> ours, LongSupplier nanoClock) {
    return new LoadProbe(tree, ours, nanoClock);
  }

  /** The load since the start. May be called again for a longer stretch. Never throws. */
  public Load stop() {
    double seconds = (nanoClock.getAsLong() - startNanos) / 1e9;
    CpuTimes used = CpuTimes.read(tree, ours).since(times);
    boolean judged = seconds >= MIN_SECONDS;
    Double busy = judged ? CpuTimes.sum(used.busy()) : null;
    Double steal = judged ? CpuTimes.sum(used.steal()) : null;
    Double own = judged ? used.own() : null;
    return new Load(
        // The two counts are kept apart by the kernel: a machine of our own may come out below 0.
        busy == null || own == null ? null : (Double) (Math.max(0, busy - own) / seconds),
        steal == null ? null : (Double) (steal / seconds),
        own == null ? null : (Double) (own / seconds),
        seconds,
        involuntary(switches, switches(tree)));
  }

  /** Involuntary switches so far by thread id; empty where the system does not tell. */
  private static Map<String, Long> switches(Tree tree) {
    Map<String, Long> switches = new HashMap<>();
    for (String id : tree.names("proc/self/task")) {
      String path = "proc/self/task/" + id + "/status";
      Long count = Tree.whole(tree.field(path, "nonvoluntary_ctxt_switches"));
      if (count != null) {
        switches.put(id, count);
      }
    }
    return switches;
  }

  private static Long involuntary(Map<String, Long> before, Map<String, Long> after) {
    if (before.isEmpty() || after.isEmpty()) {
      return null;
    }
    long sum = 0;
    for (Map.Entry<String, Long> thread : after.entrySet()) {
      long start = before.getOrDefault(thread.getKey(), 0L);
      // Fewer than before: the id went to a new thread, all of whose switches are within.
      sum += thread.getValue() - (start <= thread.getValue() ? start : 0);
    }
    return sum;
  }
}
