package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Linux machine's facts from its {@code /proc}, {@code /sys}, {@code /etc} and {@code /var}. */
final class LinuxFacts {
  private static final Pattern DRIVER =
      Pattern.compile("NVRM version:.*?Kernel Module\\b.*?\\s(\\d+(?:\\.\\d+)+)\\s");

  private LinuxFacts() {}

  static HostFacts read(Tree tree) {
    Long ram = memory(tree, "MemTotal");
    BitSet online = CpuSet.online(tree);
    BitSet allowed = CpuSet.allowed(tree);
    CgroupLimits limits = CgroupLimits.read(tree, ram);
    CpuClocks clocks = CpuClocks.read(tree);
    String board = JetsonFacts.board(tree);
    String kernel = kernel(tree);
    return new HostFacts(
        CpuName.read(tree, board),
        online == null ? null : (Integer) online.cardinality(),
        allowed == null ? null : (Integer) allowed.cardinality(),
        available(allowed, limits.cores()),
        ram,
        memory(tree, "MemAvailable"),
        memory(tree, "SwapTotal"),
        memory(tree, "SwapFree"),
        os(tree, kernel),
        kernel,
        clocks.governor(),
        clocks.minMhz(),
        clocks.maxMhz(),
        limits.words(),
        JetsonFacts.l4t(tree),
        board,
        JetsonFacts.powerMode(tree),
        nvidiaDriver(tree),
        loadAverage(tree),
        uptime(tree));
  }

  static Double available(BitSet allowed, Double quota) {
    if (allowed == null) {
      return quota;
    }
    double cores = allowed.cardinality();
    return quota == null ? cores : Math.min(cores, quota);
  }

  /** A line of meminfo in bytes; the "kB" there are KiB. */
  private static Long memory(Tree tree, String key) {
    String value = tree.field("proc/meminfo", key);
    Long kib = value == null ? null : Tree.whole(value.replace("kB", ""));
    return kib == null || kib < 0 || kib > Long.MAX_VALUE / 1024 ? null : (Long) (kib * 1024);
  }

  private static String kernel(Tree tree) {
    String release = tree.text("proc/sys/kernel/osrelease");
    String version = release == null ? tree.text("proc/version") : null;
    if (version != null && version.startsWith("Linux version ")) {
      release = version.split("\\s+", 4)[2];
    }
    return release;
  }

  private static String os(Tree tree, String kernel) {
    String name = null;
    for (String path : List.of("etc/os-release", "usr/lib/os-release")) {
      for (String line : tree.lines(path)) {
        if (name == null && line.startsWith("PRETTY_NAME=")) {
          name = line.substring("PRETTY_NAME=".length()).replaceAll("[\"']", "").strip();
        }
      }
    }
    String linux = kernel == null ? null : "Linux " + kernel;
    return name == null || name.isEmpty() ? linux : linux == null ? name : name + ", " + linux;
  }

  private static String nvidiaDriver(Tree tree) {
    String text = tree.text("proc/driver/nvidia/version");
    Matcher matcher = DRIVER.matcher(text == null ? "" : text + "\n");
    return matcher.find() ? matcher.group(1) : tree.text("sys/module/nvidia/version");
  }

  private static List<Double> loadAverage(Tree tree) {
    String text = tree.text("proc/loadavg");
    String[] parts = text == null ? new String[0] : text.split("\\s+");
    List<Double> means = new ArrayList<>();
    for (int i = 0; i < 3 && i < parts.length; i++) {
      Double mean = real(parts[i]);
      if (mean != null) {
        means.add(mean);
      }
    }
    return means.size() == 3 ? List.copyOf(means) : null;
  }

  private static Long uptime(Tree tree) {
    String text = tree.text("proc/uptime");
    Double seconds = text == null ? null : real(text.split("\\s+")[0]);
    return seconds == null ? null : (Long) Math.round(seconds);
  }

  private static Double real(String text) {
    try {
      double value = Double.parseDouble(text);
      // Above it is neither a load nor an uptime, and NaN is no number at all.
      return value >= 0 && value < 1e12 ? (Double) value : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
