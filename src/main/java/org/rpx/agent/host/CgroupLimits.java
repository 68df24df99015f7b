package org.rpx.agent.host;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a container, or a service manager, lets this process use: the strictest of its control group
 * and all groups above, of version 1 and 2.
 *
 * @param cores CPU time per time, as 2.5; null where there is no quota
 * @param memoryBytes null where there is no limit
 */
record CgroupLimits(Double cores, Long memoryBytes) {
  private static final String MOUNT = "sys/fs/cgroup";

  /**
   * Reads the limits.
   *
   * @param ramBytes the machine's memory, or null; version 1 writes "none" as a number above it
   */
  static CgroupLimits read(Tree tree, Long ramBytes) {
    Map<String, String> groups = groups(tree);
    Double cores = null;
    Long memory = null;
    for (String mount : List.of(MOUNT, MOUNT + "/unified")) {
      for (String folder : upwards(mount, groups.get(""))) {
        String quota = tree.text(folder + "/cpu.max");
        String[] pair = quota == null ? new String[0] : quota.split("\\s+");
        if (pair.length == 2) {
          cores = least(cores, ratio(Tree.whole(pair[0]), Tree.whole(pair[1])));
        }
        memory = least(memory, positive(tree.number(folder + "/memory.max")));
      }
    }
    for (String mount : List.of(MOUNT + "/cpu", MOUNT + "/cpu,cpuacct")) {
      for (String folder : upwards(mount, groups.get("cpu"))) {
        Long quota = tree.number(folder + "/cpu.cfs_quota_us");
        cores = least(cores, ratio(quota, tree.number(folder + "/cpu.cfs_period_us")));
      }
    }
    for (String folder : upwards(MOUNT + "/memory", groups.get("memory"))) {
      memory = least(memory, positive(tree.number(folder + "/memory.limit_in_bytes")));
    }
    long none = ramBytes == null ? 1L << 60 : ramBytes;
    return new CgroupLimits(cores, memory == null || memory >= none ? null : memory);
  }

  /**
   * What the strictest group leaves of its memory: its limit less what is in use, where file pages
   * that were not used of late are free. Null without a limit.
   */
  static Long memoryLeft(Tree tree) {
    Map<String, String> groups = groups(tree);
    Long left = null;
    for (String mount : List.of(MOUNT, MOUNT + "/unified"))
      for (String folder : upwards(mount, groups.get("")))
        left = least(left, left(tree, folder, "memory.max", "memory.current", "inactive_file "));
    for (String folder : upwards(MOUNT + "/memory", groups.get("memory")))
      left =
          least(
              left,
              left(
                  tree,
                  folder,
                  "memory.limit_in_bytes",
                  "memory.usage_in_bytes",
                  "total_inactive_file "));
    return left;
  }

  private static Long left(Tree tree, String folder, String limit, String used, String droppable) {
    Long most = positive(tree.number(folder + "/" + limit));
    Long now = tree.number(folder + "/" + used);
    // Version 1 writes "none" as nearly 2^63.
    if (most == null || now == null || most > 1L << 60) return null;
    Long files = null;
    for (String line : tree.lines(folder + "/memory.stat"))
      if (line.startsWith(droppable)) files = Tree.whole(line.substring(droppable.length()).trim());
    return Math.max(0, most - now + (files == null ? 0 : files));
  }

  /** The limits in words, as {@code 2.5 cores, 4.0 GiB}; null where there are none. */
  String words() {
    List<String> words = new ArrayList<>();
    if (cores != null) {
      BigDecimal shown = new BigDecimal(cores).setScale(2, RoundingMode.HALF_EVEN);
      words.add(shown.stripTrailingZeros().toPlainString() + " cores");
    }
    if (memoryBytes != null) {
      words.add(HostFacts.gib(memoryBytes) + " GiB");
    }
    return words.isEmpty() ? null : String.join(", ", words);
  }

  /** Where the CPU time of this process's groups is counted, of both versions. */
  static List<String> cpuFolders(Tree tree) {
    Map<String, String> groups = groups(tree);
    List<String> folders = new ArrayList<>();
    for (String mount : List.of(MOUNT, MOUNT + "/unified")) {
      folders.addAll(upwards(mount, groups.get("")));
    }
    for (String mount : List.of(MOUNT + "/cpu", MOUNT + "/cpu,cpuacct")) {
      folders.addAll(upwards(mount, groups.get("cpu")));
    }
    return folders;
  }

  /** This process's group by controller; version 2's under the empty name. */
  private static Map<String, String> groups(Tree tree) {
    Map<String, String> groups = new HashMap<>();
    for (String line : tree.lines("proc/self/cgroup")) {
      String[] parts = line.split(":", 3);
      if (parts.length == 3) {
        for (String controller : parts[1].split(",", -1)) {
          groups.put(controller, parts[2]);
        }
      }
    }
    return groups;
  }

  /**
   * The group's folder and all above it, the mount last. Inside a container the group's name may be
   * that of the host, which is not mounted there; then only the mount answers, and rightly.
   */
  private static List<String> upwards(String mount, String group) {
    List<String> folders = new ArrayList<>();
    String path = group == null || group.equals("/") || group.contains("..") ? "" : group;
    for (int slash = path.length(); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      folders.add(mount + path.substring(0, slash));
    }
    folders.add(mount);
    return folders;
  }

  private static Long positive(Long number) {
    return number == null || number <= 0 ? null : number;
  }

  private static Double ratio(Long quota, Long period) {
    return quota == null || period == null || quota <= 0 || period <= 0
        ? null
        : (double) quota / period;
  }

  private static <T extends Comparable<T>> T least(T a, T b) {
    return a == null || (b != null && b.compareTo(a) < 0) ? b : a;
  }
}
