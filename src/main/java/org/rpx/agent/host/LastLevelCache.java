package org.rpx.agent.host;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The caches nearest to memory of the CPUs that this process may run on.
 *
 * @param bytes of all of them together; null where the system does not tell
 */
public record LastLevelCache(Long bytes) {
  /** Where the size is not known: more than that of most machines. */
  private static final long GUESS = 128L << 20;

  /**
   * Reads {@code sys/devices/system/cpu/cpu*}{@code /cache}. Never throws.
   *
   * @param root as in {@link HostFacts#read}
   */
  public static LastLevelCache read(Path root) {
    Tree tree = new Tree(root);
    BitSet cpus = CpuSet.allowed(tree);
    // CPUs that share a cache name each other: it is counted once.
    Map<String, Long> caches = new HashMap<>();
    if (cpus != null) cpus.stream().forEach(cpu -> add(tree, cpu, caches));
    long bytes = caches.values().stream().mapToLong(b -> b).sum();
    return new LastLevelCache(bytes == 0 ? null : bytes);
  }

  private static void add(Tree tree, int cpu, Map<String, Long> caches) {
    String folder = "sys/devices/system/cpu/cpu" + cpu + "/cache";
    long highest = 0;
    String sharers = null;
    Long bytes = null;
    for (String name : tree.names(folder)) {
      String cache = folder + "/" + name;
      Long level = name.startsWith("index") ? tree.number(cache + "/level") : null;
      if (level == null || level <= highest || "Instruction".equals(tree.text(cache + "/type")))
        continue;
      highest = level;
      bytes = bytes(tree.text(cache + "/size"));
      sharers = tree.text(cache + "/shared_cpu_list");
    }
    if (bytes != null) caches.put(sharers == null ? "cpu" + cpu : sharers, bytes);
  }

  /** "32768K", as the kernel writes it. */
  private static Long bytes(String size) {
    if (size == null || !size.endsWith("K")) return null;
    Long kib = Tree.whole(size.substring(0, size.length() - 1));
    return kib == null || kib <= 0 || kib > 1L << 30 ? null : (Long) (kib << 10);
  }

  /** Whether the system tells. */
  public boolean known() {
    return bytes != null;
  }

  /**
   * What is to be written over so that nothing else is left in them, in bytes: twice as much as
   * they hold, or as is guessed where that is not known.
   */
  public long flushBytes() {
    return 2 * (known() ? bytes : GUESS);
  }
}
