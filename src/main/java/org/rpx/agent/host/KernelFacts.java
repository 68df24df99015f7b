package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How the kernel is set as far as it changes timing. */
final class KernelFacts {
  private KernelFacts() {}

  /** The CPUs that the scheduler leaves alone, as {@code 2-3}; null where there are none. */
  static String isolated(Tree tree) {
    String isolated = tree.text("sys/devices/system/cpu/isolated");
    if (isolated != null) {
      return isolated;
    }
    // Kernels before 4.2 tell only what they were started with; flags may come before the list.
    for (String word : words(tree.text("proc/cmdline"))) {
      if (word.startsWith("isolcpus=")) {
        return word.substring("isolcpus=".length()).replaceAll("^[a-z_,]+,", "");
      }
    }
    return null;
  }

  /** Whether this is a kernel of the PREEMPT_RT kind; null where the kernel says nothing. */
  static Boolean realTime(Tree tree) {
    if (Long.valueOf(1).equals(tree.number("sys/kernel/realtime"))) {
      return true;
    }
    String version = tree.text("proc/sys/kernel/version");
    version = version == null ? tree.text("proc/version") : version;
    return version == null
        ? null
        : (Boolean) (version.contains("PREEMPT_RT") || version.contains("PREEMPT RT"));
  }

  /** Where memory is swapped to, by device, each with its size in GiB; zram is memory itself. */
  static Map<String, Double> swaps(Tree tree) {
    Map<String, Double> swaps = new LinkedHashMap<>();
    for (String line : tree.lines("proc/swaps")) {
      // Filename Type Size Used Priority; sizes in KiB. The first line is the heading.
      List<String> words = words(line);
      Long kib = words.size() < 5 ? null : Tree.whole(words.get(2));
      if (kib != null && kib >= 0 && kib < Long.MAX_VALUE / 1024) {
        swaps.put(words.get(0), HostFacts.gib(kib * 1024));
      }
    }
    return swaps;
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    for (String word : text == null ? new String[0] : text.split("\\s+")) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return words;
  }
}
