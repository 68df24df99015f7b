package org.rpx.agent.host;

/**
 * A file that holds one figure as a whole number, found once and read again and again.
 *
 * @param name of the figure
 * @param path of the file below the root
 * @param factor from the file's unit to {@code unit}
 * @param unit of the figure
 */
record Probe(String name, String path, double factor, String unit) {
  /** Colder than any machine runs: some boards' firmware says -256 for what is switched off. */
  private static final double COLDEST = -100;

  Reading read(Tree tree) {
    Reading reading = Reading.number(tree, name, path, factor, unit);
    return unit.equals("C") && reading.number() != null && reading.number() < COLDEST
        ? Reading.none(name, unit, reading.source(), State.UNSUPPORTED, "switched off at present")
        : reading;
  }
}
