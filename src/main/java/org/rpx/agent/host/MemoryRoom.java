package org.rpx.agent.host;

/** How much memory new work can take before the kernel ends a process for it. */
final class MemoryRoom {
  private MemoryRoom() {}

  /** As {@link HostFacts#memoryRoomBytes} has it. */
  static Long bytes(Tree tree) {
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
