package org.rpx.agent.host;

import java.util.BitSet;

/** Sets of logical CPUs as Linux writes them: {@code 0-3,8}. */
final class CpuSet {
  /** More than any kernel is built for: an odd file must not fill our memory. */
  private static final long MOST = 100_000;

  private CpuSet() {}

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
