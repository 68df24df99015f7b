package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.List;

/**
 * Energy of x86 processor packages, from the counters that Linux' powercap interface shows (Intel's
 * RAPL; AMD's through the same driver). A counter goes back to 0 at {@code max_energy_range_uj},
 * after minutes at full load, so that it is to be read more often than that.
 */
final class RaplEnergy {
  private static final String FOLDER = "sys/class/powercap/";
  private static final String SOURCE = "/" + FOLDER + "intel-rapl:*/energy_uj";

  private static final class Zone {
    String name;
    String path;
    Long range;
    Long last;
    double joules;
    Tree.Look bad;
  }

  private final Tree tree;
  private final List<Zone> zones = new ArrayList<>();

  /** Finds the packages; parts of one (core, dram) have a second colon and are within it. */
  RaplEnergy(Tree tree) {
    this.tree = tree;
    for (String folder : tree.names(FOLDER)) {
      String name = tree.text(FOLDER + folder + "/name");
      // psys is the whole platform, packages included.
      if (folder.matches("intel-rapl:\\d+") && name != null && name.startsWith("package")) {
        Zone zone = new Zone();
        zone.name = name;
        zone.path = FOLDER + folder + "/energy_uj";
        zone.range = tree.number(FOLDER + folder + "/max_energy_range_uj");
        zones.add(zone);
      }
    }
  }

  /** Adds what was used since the last call. */
  void sample() {
    for (Zone zone : zones) {
      Tree.Look look = tree.look(zone.path);
      Long now = Tree.whole(look.text());
      if (now == null || zone.range == null) {
        zone.bad = look.reason() == null ? new Tree.Look(null, State.UNSUPPORTED, "odd") : look;
        continue;
      }
      if (zone.last != null) {
        long used = now - zone.last;
        zone.joules += (used < 0 ? used + zone.range : used) / 1e6;
      }
      zone.last = now;
    }
  }

  /** The energy of each package and of all together, in J. */
  List<Count> used() {
    List<Count> counts = new ArrayList<>();
    double sum = 0;
    Tree.Look bad = zones.isEmpty() ? new Tree.Look(null, State.UNSUPPORTED, "no RAPL here") : null;
    for (Zone zone : zones) {
      bad = bad == null ? zone.bad : bad;
      sum += zone.joules;
      if (zones.size() > 1) {
        counts.add(count("energy." + zone.name, Tree.source(zone.path), zone.joules, zone.bad));
      }
    }
    counts.add(count("energy.cpu", SOURCE, sum, bad));
    return counts;
  }

  private static Count count(String name, String source, double joules, Tree.Look bad) {
    return bad == null
        ? new Count(name, "J", source, State.OK, null, joules)
        : new Count(name, "J", source, bad.state(), bad.reason(), null);
  }
}
