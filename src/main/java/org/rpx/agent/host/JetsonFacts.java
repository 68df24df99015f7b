package org.rpx.agent.host;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What only a board tells: its name, its release of NVIDIA's Linux, its power mode. */
final class JetsonFacts {
  private static final Pattern RELEASE =
      Pattern.compile("#\\s*(R\\d+)\\s*\\(release\\),\\s*REVISION:\\s*([\\d.]+)");
  private static final Pattern STATUS = Pattern.compile("pmode:\\s*0*(\\d{1,6})");
  private static final Pattern MODE =
      Pattern.compile("<\\s*POWER_MODEL\\s+ID=(\\d{1,6})\\s+NAME=([^\\s>]+)");

  private static final Map<String, String> CHIPS =
      Map.of(
          "tegra210", "X1",
          "tegra186", "X2",
          "tegra194", "Xavier",
          "tegra234", "Orin",
          "tegra264", "Thor");

  private JetsonFacts() {}

  /** The board by its device tree; null where there is no device tree, as on most x86 machines. */
  static String board(Tree tree) {
    String model = tree.text("proc/device-tree/model");
    return model == null ? null : model.replaceAll("\\p{Cntrl}+", " ").strip();
  }

  /**
   * The chip, as {@code tegra234 (Orin)}; of other makers' boards as the device tree has it ({@code
   * bcm2712}); null where there is no device tree.
   */
  static String soc(Tree tree) {
    String compatible = tree.text("proc/device-tree/compatible");
    if (compatible == null) {
      return null;
    }
    // From the most special to the most general, as "nvidia,p3701-0005", "nvidia,tegra234".
    String[] names = compatible.split("\0");
    String last = names[names.length - 1];
    String chip = last.substring(last.indexOf(',') + 1).strip();
    String family = CHIPS.get(chip);
    return chip.isEmpty() ? null : family == null ? chip : chip + " (" + family + ")";
  }

  /** The release of Jetson Linux, as {@code R36.4.3}; null on any other system. */
  static String l4t(Tree tree) {
    String release = tree.text("etc/nv_tegra_release");
    Matcher matcher = RELEASE.matcher(release == null ? "" : release);
    return matcher.find() ? matcher.group(1) + "." + matcher.group(2) : null;
  }

  /**
   * The power mode, as {@code MODE_30W (id 2)}, or {@code id 2} where the mode has no known name;
   * null if unknown. The name leads: ids mean other modes on other boards.
   */
  static String powerMode(Tree tree) {
    String status = tree.text("var/lib/nvpmodel/status");
    Matcher matcher = STATUS.matcher(status == null ? "" : status);
    if (!matcher.find()) {
      return null;
    }
    int id = Integer.parseInt(matcher.group(1));
    for (String line : tree.lines("etc/nvpmodel.conf")) {
      Matcher mode = MODE.matcher(line.strip());
      if (mode.lookingAt() && Integer.parseInt(mode.group(1)) == id) {
        return mode.group(2) + " (id " + id + ")";
      }
    }
    return "id " + id;
  }
}
