package org.rpx.agent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryRoomTest {
  private static final long MIB = 1 << 20;

  @TempDir Path root;

  private void file(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void machine() throws IOException {
    file("proc/meminfo", "MemTotal: 8388608 kB\nMemFree: 102400 kB\nMemAvailable: 4194304 kB\n");
  }

  @Test
  void isWhatTheKernelSaysIsAvailable() throws IOException {
    machine();

    assertThat(HostFacts.memoryRoomBytes(root)).isEqualTo(4096 * MIB);
  }

  @Test
  void aGroupsLimitLeavesLess() throws IOException {
    machine();
    file("proc/self/cgroup", "0::/box\n");
    file("sys/fs/cgroup/box/memory.max", 1024 * MIB + "\n");
    file("sys/fs/cgroup/box/memory.current", 900 * MIB + "\n");
    file("sys/fs/cgroup/box/memory.stat", "anon 1\ninactive_file " + 300 * MIB + "\n");

    assertThat(HostFacts.memoryRoomBytes(root)).isEqualTo((1024 - 900 + 300) * MIB);
  }

  @Test
  void version1SaysNoLimitByALargeNumber() throws IOException {
    machine();
    file("proc/self/cgroup", "4:memory:/\n");
    file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    file("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
    assertThat(HostFacts.memoryRoomBytes(root)).isEqualTo(4096 * MIB);

    file("sys/fs/cgroup/memory/memory.limit_in_bytes", 512 * MIB + "\n");
    file("sys/fs/cgroup/memory/memory.usage_in_bytes", 600 * MIB + "\n");
    assertThat(HostFacts.memoryRoomBytes(root)).isZero();
  }

  @Test
  void nothingIsKnownWithoutItsFile() {
    assertThat(HostFacts.memoryRoomBytes(root)).isNull();
  }
}
