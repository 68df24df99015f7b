package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.List;

/** How often a Jetson was slowed down because it drew too much current, since it was started. */
final class OverCurrent {
  private static final String HWMON = "sys/class/hwmon/";

  private OverCurrent() {}

  /** One count for each alarm (oc1, oc2, …); empty on other machines. */
  static List<Probe> find(Tree tree) {
    List<Probe> probes = new ArrayList<>();
    for (String chip : tree.names(HWMON)) {
      if (!"soctherm_oc".equals(tree.text(HWMON + chip + "/name"))) {
        continue;
      }
      for (String file : tree.names(HWMON + chip)) {
        if (file.startsWith("oc") && file.endsWith("_event_cnt")) {
          String alarm = file.substring(0, file.indexOf('_'));
          probes.add(new Probe("over_current." + alarm, HWMON + chip + "/" + file, 1, ""));
        }
      }
    }
    return probes;
  }
}
