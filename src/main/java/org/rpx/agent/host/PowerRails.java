package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The power rails that a Jetson's monitors measure: INA3221 through hwmon (JetPack 5 and later) or
 * iio (JetPack 4), and Thor's INA238.
 */
final class PowerRails {
  private static final String TOTAL = "power.total";
  private static final String DRIVERS = "sys/bus/i2c/drivers/";

  /** Rails that feed the whole module or board, the others among them. */
  private static final Set<String> WHOLE = Set.of("VDD_IN", "POM_5V_IN", "VIN");

  /** Rails that hang on another measured one: an AGX Orin's memory, on its 5 V input. */
  private static final Map<String, String> FED_BY = Map.of("VDDQ_VDD2_1V8AO", "VIN_SYS_5V0");

  /**
   * Where one rail's power is read: a file, or a voltage in mV and a current in mA.
   *
   * @param current null where {@code first} holds the power itself
   * @param factor from what is read to mW
   */
  private record Rail(String name, String first, String current, double factor) {}

  private final Tree tree;
  private final List<Rail> rails = new ArrayList<>();

  private PowerRails(Tree tree) {
    this.tree = tree;
  }

  /** Looks for rails; there are none on other machines. */
  static PowerRails find(Tree tree) {
    PowerRails found = new PowerRails(tree);
    for (String driver : List.of("ina3221", "ina3221x", "ina238")) {
      for (String chip : tree.names(DRIVERS + driver)) {
        // Beside the chips, by bus and address as 1-0040, stand bind, module, uevent and unbind.
        if (chip.indexOf('-') > 0) {
          found.add(DRIVERS + driver + "/" + chip, driver);
        }
      }
    }
    return found;
  }

  private void add(String chip, String driver) {
    for (String hwmon : tree.names(chip + "/hwmon")) {
      String folder = chip + "/hwmon/" + hwmon;
      if (driver.equals("ina238")) {
        String label = tree.text(folder + "/label");
        add(label == null ? "VIN" : label, folder + "/power1_input", null, 1e-3); // µW
      } else {
        // Three channels; what follows them, up to in7, is shunt voltages and their sum.
        for (int n = 1; n <= 3; n++) {
          String current = folder + "/curr" + n + "_input";
          add(
              tree.text(folder + "/in" + n + "_label"),
              folder + "/in" + n + "_input",
              current,
              1e-3);
        }
      }
    }
    for (String device : tree.names(chip)) {
      for (int n = 0; device.startsWith("iio:device") && n < 3; n++) {
        String folder = chip + "/" + device;
        add(tree.text(folder + "/rail_name_" + n), folder + "/in_power" + n + "_input", null, 1);
      }
    }
  }

  /** NC is a channel that is not connected. */
  private void add(String name, String first, String current, double factor) {
    if (name != null && !name.equalsIgnoreCase("NC")) {
      rails.add(new Rail(name, first, current, factor));
    }
  }

  /** The power of each rail in mW, then their total; empty where there are none. */
  List<Reading> read() {
    List<Reading> readings = new ArrayList<>();
    for (Rail rail : rails) {
      String name = "power." + rail.name();
      Reading first = Reading.number(tree, name, rail.first(), 1, "mW");
      Reading current =
          rail.current() == null ? null : Reading.number(tree, name, rail.current(), 1, "mW");
      if (first.number() == null) {
        readings.add(first);
      } else if (current != null && current.number() == null) {
        readings.add(current);
      } else {
        double power = first.number() * (current == null ? 1 : current.number()) * rail.factor();
        readings.add(Reading.ok(name, power, "mW", first.source()));
      }
    }
    if (!readings.isEmpty()) {
      readings.add(total(readings));
    }
    return readings;
  }

  /**
   * The rail that feeds all others; else the sum, of which none may be missing and none may hold
   * another: that would count it twice.
   */
  private Reading total(List<Reading> readings) {
    Set<String> names = new HashSet<>();
    for (Rail rail : rails) {
      names.add(rail.name());
    }
    double sum = 0;
    StringJoiner source = new StringJoiner(" + ");
    for (Reading rail : readings) {
      String name = rail.name().substring("power.".length());
      if (WHOLE.contains(name)) {
        return new Reading(TOTAL, rail.value(), "mW", rail.source(), rail.state(), rail.reason());
      }
      if (!names.contains(FED_BY.get(name))) {
        source.add(name);
        sum += rail.number() == null ? Double.NaN : rail.number();
      }
    }
    return Double.isNaN(sum)
        ? Reading.none(TOTAL, "mW", source.toString(), State.UNSUPPORTED, "a rail is missing")
        : Reading.ok(TOTAL, sum, "mW", source.toString());
  }
}
