package org.rpx.agent.host;

/**
 * Energy from samples of power, each pair of neighbours joined by a straight line. What happens
 * between two samples is not seen: the energy of a run of many samples is sure, of a few it is not.
 */
final class PowerIntegral {
  private double joules;
  private double lastSeconds = Double.NaN;
  private double lastMilliwatt;
  private int missing;
  private Reading last;

  void add(double seconds, Reading power) {
    last = power;
    Double milliwatt = power.number();
    if (milliwatt == null) {
      missing++;
      return;
    }
    if (!Double.isNaN(lastSeconds)) {
      joules += (seconds - lastSeconds) * (lastMilliwatt + milliwatt) / 2 / 1000;
    }
    lastSeconds = seconds;
    lastMilliwatt = milliwatt;
  }

  /** The energy in J, of the rail or GPU that the power is of. */
  Count used() {
    // power.VDD_IN, and of NVML gpu0.power_mw.
    String name = "energy." + last.name().replaceFirst("^power\\.|\\.power_mw$", "");
    String source = last.source() + ", integrated";
    if (Double.isNaN(lastSeconds)) {
      return new Count(name, "J", source, last.state(), last.reason(), null);
    }
    return missing > 0
        ? Count.none(name, "J", source, "the power was missing in " + missing + " samples")
        : new Count(name, "J", source, State.OK, null, joules);
  }
}
