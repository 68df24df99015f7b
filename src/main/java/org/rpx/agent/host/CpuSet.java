package org.rpx.agent.host;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.StringJoiner;

/** Sets of logical CPUs as Linux writes them: {@code 0-3,8}. Nothing here throws. */
public final class CpuSet {
  /** More than any kernel is built for: an odd file must not fill our memory. */
  private static final long MOST = 100_000;

  private CpuSet() {}

  /** The numbers in a list, ascending; null if the text is no such list, or an empty one. */
  public static List<Integer> numbers(String list) {
    BitSet cpus = parse(list);
    return cpus == null ? null : cpus.stream().boxed().toList();
  }

  /**
   * Those that this process may run on, by affinity and cpuset; null if unknown.
   *
   * @param root as in {@link HostFacts#read}
   */
  public static List<Integer> allowed(Path root) {
    BitSet cpus = allowed(new Tree(root));
    return cpus == null ? null : cpus.stream().boxed().toList();
  }

  /** Numbers as a list: {@code 0-3,8}. */
  public static String text(List<Integer> cpus) {
    BitSet all = new BitSet();
    cpus.forEach(all::set);
    StringJoiner text = new StringJoiner(",");
    for (int first = all.nextSetBit(0); first >= 0; ) {
      int end = all.nextClearBit(first);
      text.add(end == first + 1 ? "" + first : first + "-" + (end - 1));
      first = all.nextSetBit(end);
    }
    return text.toString();
  }

  /** The CPUs that are switched on; null if unknown. */
  static BitSet online(Tree tree) {
    return parse(tree.text("sys/devices/system/cpu/online"));
  }

  /** The CPUs that this process may run on, by affinity and cpuset; null if unknown. */
  static BitSet allowed(Tree tree) {
    BitSet allowed = parse(tree.field("proc/self/status", "Cpus_allowed_list"));
    BitSet online = online(tree);
    if (allowed != null && online != null) {
      // A mask set before a CPU was switched off still names it.
      allowed.and(online);
    }
    return allowed == null || allowed.isEmpty() ? null : allowed;
  }

  /** The CPUs in a list; null if the text is no such list, or an empty one. */
  static BitSet parse(String list) {
    if (list == null) {
      return null;
    }
    BitSet cpus = new BitSet();
    for (String part : list.split(",", -1)) {
      int dash = part.indexOf('-');
      Long first = Tree.whole(dash < 0 ? part : part.substring(0, dash));
      Long last = Tree.whole(part.substring(dash + 1));
      if (first == null || last == null || first < 0 || last < first || last >= MOST) {
        return null;
      }
      cpus.set(first.intValue(), last.intValue() + 1);
    }
    return cpus;
  }
}
