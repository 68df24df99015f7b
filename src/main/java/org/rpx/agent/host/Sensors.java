package org.rpx.agent.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Everything of the machine that moves and that a file tells: clocks, temperatures, power. */
final class Sensors {
  private final Tree tree;
  private final CpuClockNow clocks;
  private final PowerRails rails;
  private final List<Probe> probes = new ArrayList<>();

  /** Finds what this kind of machine has. */
  Sensors(Tree tree) {
    this.tree = tree;
    clocks = new CpuClockNow(tree);
    rails = PowerRails.find(tree);
    probes.addAll(JetsonGpu.find(tree));
    probes.addAll(Temperatures.find(tree));
  }

  /**
   * Reads what this kind of machine has, each figure with its source and state. Never throws.
   * Clocks are in MHz, temperatures in °C, power in mW, loads in %; {@code over_current} counts
   * events since the machine was started.
   *
   * @param root {@code /}, or a recorded machine's files
   */
  public static List<Reading> read(Path root) {
    return read(new Tree(root));
  }

  static List<Reading> read(Tree tree) {
    Sensors sensors = new Sensors(tree);
    List<Reading> readings = new ArrayList<>(sensors.read());
    readings.add(1, sensors.clocks.lowest());
    for (Probe alarm : OverCurrent.find(tree)) {
      readings.add(alarm.read(tree));
    }
    return readings;
  }

  /** The highest CPU clock, then all else that rises and falls. */
  List<Reading> read() {
    List<Reading> readings = new ArrayList<>();
    readings.add(clocks.highest());
    for (Probe probe : probes) {
      readings.add(probe.read(tree));
    }
    readings.addAll(rails.read());
    return readings;
  }
}
