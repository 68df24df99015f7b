package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.List;

/** Whether this machine tells energy and power, and if not to us, who may read it. */
final class PowerChecks {
  private static final String NULL_THEN = "without it energy is null in reports";

  private PowerChecks() {}

  /** RAPL, power rails and NVML, each on its own: a machine has one of them or two. */
  static List<Check> of(TelemetrySummary seen) {
    List<Check> checks = new ArrayList<>();
    Count rapl = seen.counts().get("energy.cpu");
    if (rapl == null) {
      checks.add(Check.none("RAPL", "not told here"));
    } else {
      checks.add(
          check(
              "RAPL",
              rapl.state(),
              "energy of the CPU packages",
              rapl.source(),
              rapl.reason(),
              "sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj, until the next boot"));
    }
    Series rails = seen.series().get("power.total");
    checks.add(
        rails == null
            ? Check.none("power rails", "unsupported: no such monitors here (Jetson boards have)")
            : check(
                "power rails",
                rails.state(),
                "power of the board's rails",
                rails.source(),
                rails.reason(),
                "run as root, or let a udev rule give the group read access"));
    checks.add(nvml(seen));
    return checks;
  }

  private static Check nvml(TelemetrySummary seen) {
    Series library = seen.series().get("nvml");
    if (library != null) {
      return library.state() == State.DENIED
          ? Check.warn("NVML", "denied: " + library.reason(), "ask for access to /dev/nvidia*")
          : Check.none("NVML", "unsupported: " + library.reason());
    }
    Series power = null;
    for (Series figure : seen.series().values()) {
      power = power == null && figure.name().endsWith(".power_mw") ? figure : power;
    }
    return power == null
        ? Check.none("NVML", "unsupported: no GPU answered")
        : check(
            "NVML",
            power.state(),
            "power of " + power.name().substring(0, power.name().indexOf('.')),
            power.source(),
            power.reason(),
            "ask for access to /dev/nvidia*");
  }

  private static Check check(
      String name, State state, String what, String source, String reason, String remedy) {
    return switch (state) {
      case OK -> Check.ok(name, what + " (" + source + ")");
      case DENIED ->
          Check.warn(name, "denied: only root may read " + source + "; " + NULL_THEN, remedy);
      case UNSUPPORTED -> Check.none(name, "unsupported: " + reason);
    };
  }
}
