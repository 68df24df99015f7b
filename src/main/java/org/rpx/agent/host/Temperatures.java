package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Temperatures in °C: the kernel's thermal zones, and CPU sensors that have no zone. */
final class Temperatures {
  private static final String ZONES = "sys/class/thermal/";
  private static final String HWMON = "sys/class/hwmon/";

  /** Drivers of AMD's and Intel's CPU sensors; the latter also where no zone stands for it. */
  private static final Set<String> CPU_SENSORS = Set.of("k10temp", "zenpower", "coretemp");

  private Temperatures() {}

  /** One for each zone, by its type; a zone that is switched off is there and cannot be read. */
  static List<Probe> find(Tree tree) {
    List<Probe> probes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String zone : tree.names(ZONES)) {
      String type = zone.startsWith("thermal_zone") ? tree.text(ZONES + zone + "/type") : null;
      if (type != null) {
        // Two zones may have the same type, as one for each package has.
        String name = names.add(type) ? type : type + "." + zone.substring("thermal_zone".length());
        probes.add(new Probe("temperature." + name, ZONES + zone + "/temp", 1e-3, "C"));
      }
    }
    for (String chip : tree.names(HWMON)) {
      String driver = tree.text(HWMON + chip + "/name");
      if (driver != null && CPU_SENSORS.contains(driver) && names.add(driver)) {
        probes.add(new Probe("temperature." + driver, HWMON + chip + "/temp1_input", 1e-3, "C"));
      }
    }
    return probes;
  }
}
