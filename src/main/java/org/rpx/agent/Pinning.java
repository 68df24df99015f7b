package org.rpx.agent;

import java.nio.file.Path;
import java.util.List;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.host.CpuSet;

/** Which CPUs the process runs on. */
final class Pinning {
  private Pinning() {}

  /**
   * Pins the process.
   *
   * @throws IllegalArgumentException if it may not use one of them
   */
  static void pin(List<Integer> cpus, Path root) {
    List<Integer> allowed = CpuSet.allowed(root);
    for (int cpu : cpus)
      if (allowed != null && !allowed.contains(cpu))
        throw new IllegalArgumentException(
            "this process may not use CPU " + cpu + ": choose among " + CpuSet.text(allowed));
    LibTorch.pin(cpus.stream().mapToInt(c -> c).toArray());
  }
}
