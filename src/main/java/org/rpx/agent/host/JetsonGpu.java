package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.List;

/** Load and clocks of a Jetson's integrated GPU, wherever its release of Linux keeps them. */
final class JetsonGpu {
  private static final String DEVFREQ = "sys/class/devfreq/";
  private static final String PLATFORM = "sys/devices/platform/";
  private static final String MEMORY_CLOCK = "sys/kernel/debug/bpmp/debug/clk/emc/rate";

  private JetsonGpu() {}

  /** Load in %, clocks in MHz, and the memory's clock; empty where there is no such GPU. */
  static List<Probe> find(Tree tree) {
    List<Probe> probes = new ArrayList<>();
    String clocks = null;
    for (String name : tree.names(DEVFREQ)) {
      clocks = clocks == null && isGpu(name) ? DEVFREQ + name : clocks;
    }
    String load = load(tree, clocks);
    if (load != null) {
      probes.add(new Probe("gpu.load", load, 0.1, "%"));
    }
    if (clocks != null) {
      probes.add(new Probe("gpu.clock", clocks + "/cur_freq", 1e-6, "MHz"));
      probes.add(new Probe("gpu.clock_min", clocks + "/min_freq", 1e-6, "MHz"));
      probes.add(new Probe("gpu.clock_max", clocks + "/max_freq", 1e-6, "MHz"));
    }
    if (!probes.isEmpty()) {
      probes.add(new Probe("memory.clock", MEMORY_CLOCK, 1e-6, "MHz"));
    }
    return probes;
  }

  /** By device: 57000000.gpu, 17000000.gv11b, 17000000.ga10b, 17000000.gpu; Thor's gpu-gpc-0. */
  private static boolean isGpu(String name) {
    String device = name.substring(name.indexOf('.') + 1);
    return List.of("gpu", "gm20b", "gp10b", "gv11b", "ga10b").contains(device)
        || name.startsWith("gpu-gpc");
  }

  /** The first that is there of the places that releases 4 to 7 have it in; null if none. */
  private static String load(Tree tree, String clocks) {
    List<String> places = new ArrayList<>();
    if (clocks != null) {
      places.add(clocks + "/device/load");
    }
    places.add("sys/devices/gpu.0/load");
    places.add(PLATFORM + "gpu.0/load");
    for (String folder : List.of(PLATFORM, PLATFORM + "bus@0/")) {
      for (String name : tree.names(folder)) {
        if (name.indexOf('.') > 0 && isGpu(name)) {
          places.add(folder + name + "/load");
        }
      }
    }
    for (String place : places) {
      if (tree.exists(place)) {
        return place;
      }
    }
    return null;
  }
}
