package org.rpx.agent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastLevelCacheTest {
  @TempDir private Path root;

  private void put(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  private void cache(int cpu, int index, int level, String type, String size, String cpus)
      throws IOException {
    String folder = "sys/devices/system/cpu/cpu" + cpu + "/cache/index" + index;
    put(folder + "/level", "" + level);
    put(folder + "/type", type);
    put(folder + "/size", size);
    put(folder + "/shared_cpu_list", cpus);
  }

  /** CPUs 0 and 1 share one, 2 has another; 3 is not ours. */
  @Test
  void countsEachCacheOnce() throws IOException {
    put("sys/devices/system/cpu/online", "0-3");
    put("proc/self/status", "Cpus_allowed_list:\t0-2");
    for (int cpu = 0; cpu < 4; cpu++) {
      cache(cpu, 0, 1, "Data", "32K", "" + cpu);
      cache(cpu, 2, 2, "Unified", "512K", "" + cpu);
      cache(cpu, 3, 3, "Unified", cpu < 2 ? "32768K" : "16384K", cpu < 2 ? "0-1" : "" + cpu);
    }

    LastLevelCache cache = LastLevelCache.read(root);

    assertThat(cache.bytes()).isEqualTo(48L << 20);
    assertThat(cache.flushBytes()).isEqualTo(96L << 20);
  }

  @Test
  void takesTheHighestLevelThatIsThere() throws IOException {
    put("sys/devices/system/cpu/online", "0");
    put("proc/self/status", "Cpus_allowed_list:\t0");
    cache(0, 0, 1, "Data", "32K", "0");
    cache(0, 1, 2, "Unified", "2048K", "0");

    assertThat(LastLevelCache.read(root).bytes()).isEqualTo(2L << 20);
  }

  @Test
  void guessesWhereNothingTells() {
    LastLevelCache cache = LastLevelCache.read(root);

    assertThat(cache.known()).isFalse();
    assertThat(cache.flushBytes()).isEqualTo(256L << 20);
  }

  @Test
  void readsAndWritesListsOfCpus() {
    assertThat(CpuSet.numbers("0-2,8")).containsExactly(0, 1, 2, 8);
    assertThat(CpuSet.numbers("3,1")).containsExactly(1, 3);
    for (String bad : new String[] {"", "a", "1-", "-1", "2-1", "1,,2", "0 1", "100000"})
      assertThat(CpuSet.numbers(bad)).isNull();
    assertThat(CpuSet.text(List.of(0, 1, 2, 8))).isEqualTo("0-2,8");
    assertThat(CpuSet.text(List.of(4))).isEqualTo("4");
  }
}
