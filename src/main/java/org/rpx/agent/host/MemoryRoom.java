package org.rpx.agent.host;

import java.nio.file.Path;

/** How much memory new work can take before the kernel ends a process for it. */
public final class MemoryRoom {
  private MemoryRoom() {}

  /**
   * MemAvailable, or where smaller what the control groups leave: their limit less what is in use,
   * the file pages that could be dropped not counted as used. Null where neither is known.
   */
  public static Long bytes(Path root) {
    Tree tree = new Tree(root);
    Long available = null;
    for (String line : tree.lines("proc/meminfo")) {
      if (line.startsWith("MemAvailable:")) {
        Long kib = Tree.whole(line.substring(13).replace("kB", "").trim());
        available = kib == null ? null : Long.valueOf(kib * 1024);
      }
    }
    Long left = CgroupLimits.memoryLeft(tree);
    if (available == null) return left;
    return left == null ? available : Long.valueOf(Math.min(available, left));
  }
}
