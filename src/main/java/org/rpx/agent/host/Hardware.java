package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the machine is built of, as far as anybody may read it; for inventories. */
final class Hardware {
  private static final String CPU = "sys/devices/system/cpu/";
  private static final int SECTOR_BYTES = 512; // whatever the disk's own; see the kernel's stat.txt

  private final Tree tree;

  Hardware(Tree tree) {
    this.tree = tree;
  }

  /** Processors, each in a socket of its own; null if unknown. */
  Integer sockets() {
    Set<String> sockets = topology("physical_package_id", "");
    return sockets.isEmpty() ? null : (Integer) sockets.size();
  }

  /** Cores of one processor, threads that share a core counted once; null if unknown. */
  Integer coresPerSocket() {
    Integer sockets = sockets();
    int cores = topology("physical_package_id", "core_id").size();
    return sockets == null || cores % sockets != 0 ? null : (Integer) (cores / sockets);
  }

  /** As {@code L1d 48 KiB, L1i 32 KiB, L2 1280 KiB, L3 48 MiB}; null if unknown. */
  String caches() {
    List<String> caches = new ArrayList<>();
    for (String index : tree.names(CPU + "cpu0/cache")) {
      String folder = CPU + "cpu0/cache/" + index;
      Long level = tree.number(folder + "/level");
      String size = tree.text(folder + "/size");
      String type = tree.text(folder + "/type");
      if (level != null && size != null && size.endsWith("K")) {
        Long kib = Tree.whole(size.substring(0, size.length() - 1));
        String kind = "Data".equals(type) ? "d" : "Instruction".equals(type) ? "i" : "";
        if (kib != null) {
          boolean whole = kib >= 1024 && kib % 1024 == 0;
          caches.add("L" + level + kind + " " + (whole ? kib / 1024 + " MiB" : kib + " KiB"));
        }
      }
    }
    return caches.isEmpty() ? null : String.join(", ", caches);
  }

  /** Disks that cannot be pulled out, by kind ({@code NVMe SSD}), with their bytes together. */
  Map<String, Long> disks() {
    Map<String, Long> disks = new LinkedHashMap<>();
    for (String name : tree.names("sys/block")) {
      String folder = "sys/block/" + name;
      Long sectors = tree.number(folder + "/size");
      boolean fixed = Long.valueOf(0).equals(tree.number(folder + "/removable"));
      // Loops, zram and volume groups have no device of their own.
      if (sectors != null && sectors > 0 && fixed && tree.exists(folder + "/device")) {
        boolean spins = Long.valueOf(1).equals(tree.number(folder + "/queue/rotational"));
        disks.merge(kind(name, spins), sectors * SECTOR_BYTES, Long::sum);
      }
    }
    return disks;
  }

  private static String kind(String name, boolean spins) {
    if (name.startsWith("vd") || name.startsWith("xvd")) {
      return "virtual disk"; // What it says of rotation is the hypervisor's default.
    }
    return name.startsWith("nvme")
        ? "NVMe SSD"
        : name.startsWith("mmcblk") ? "eMMC or SD card" : spins ? "HDD" : "SSD";
  }

  /** Network interfaces of the hardware; 0 where there are none, null where none can be listed. */
  Integer networkInterfaces() {
    List<String> names = tree.names("sys/class/net");
    int cards = 0;
    for (String name : names) {
      cards += tree.exists("sys/class/net/" + name + "/device") ? 1 : 0;
    }
    return names.isEmpty() ? null : (Integer) cards;
  }

  /** The maker's name for the machine; null where nobody may read it. */
  String product() {
    String vendor = tree.text("sys/class/dmi/id/sys_vendor");
    String product = tree.text("sys/class/dmi/id/product_name");
    return product == null ? null : vendor == null ? product : vendor + " " + product;
  }

  private Set<String> topology(String first, String second) {
    Set<String> different = new HashSet<>();
    for (String cpu : tree.names(CPU)) {
      String folder = CPU + cpu + "/topology/";
      String id = cpu.matches("cpu\\d+") ? tree.text(folder + first) : null;
      if (id != null) {
        different.add(id + " " + (second.isEmpty() ? "" : tree.text(folder + second)));
      }
    }
    return different;
  }
}
