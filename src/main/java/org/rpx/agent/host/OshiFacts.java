package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.CentralProcessor.TickType;
import oshi.hardware.GlobalMemory;

/** The facts of systems other than Linux, through OSHI, which loads native code when first used. */
final class OshiFacts {
  private OshiFacts() {}

  static HostFacts read() {
    SystemInfo system = quietly(SystemInfo::new);
    CentralProcessor cpu = quietly(() -> system.getHardware().getProcessor());
    GlobalMemory memory = quietly(() -> system.getHardware().getMemory());
    Long swap = quietly(() -> memory.getVirtualMemory().getSwapTotal());
    return new HostFacts(
        quietly(() -> blankToNull(cpu.getProcessorIdentifier().getName())),
        quietly(() -> cpu.getLogicalProcessorCount()),
        null,
        (double) Runtime.getRuntime().availableProcessors(),
        quietly(() -> positive(memory.getTotal())),
        quietly(() -> positive(memory.getAvailable())),
        swap,
        quietly(() -> swap - memory.getVirtualMemory().getSwapUsed()),
        quietly(() -> blankToNull(system.getOperatingSystem().toString())),
        null,
        null,
        null,
        quietly(() -> Math.toIntExact(Math.round(positive(cpu.getMaxFreq()) / 1e6))),
        null,
        null,
        quietly(() -> blankToNull(system.getHardware().getComputerSystem().getModel())),
        null,
        null,
        quietly(() -> loadAverage(cpu.getSystemLoadAverage(3))),
        quietly(() -> positive(system.getOperatingSystem().getSystemUptime())));
  }

  /** CPU time so far; empty where OSHI has none. The whole machine: affinity is not asked for. */
  static CpuTimes times(List<Long> ours) {
    Map<Integer, Double> busy = new HashMap<>();
    Map<Integer, Double> steal = new HashMap<>();
    long[][] ticks =
        quietly(() -> new SystemInfo().getHardware().getProcessor().getProcessorCpuLoadTicks());
    for (int i = 0; ticks != null && i < ticks.length; i++) {
      long sum = 0;
      for (TickType type : TickType.values()) {
        boolean idle = type == TickType.IDLE || type == TickType.IOWAIT || type == TickType.STEAL;
        sum += idle ? 0 : ticks[i][type.getIndex()];
      }
      // OSHI's ticks are milliseconds on every system.
      busy.put(i, sum / 1e3);
      steal.put(i, ticks[i][TickType.STEAL.getIndex()] / 1e3);
    }
    List<Double> own = new ArrayList<>();
    own.add(own(Optional.of(ProcessHandle.current())));
    for (long id : ours) own.add(own(ProcessHandle.of(id)));
    return new CpuTimes(busy, steal, CpuTimes.total(own));
  }

  private static Double own(Optional<ProcessHandle> process) {
    return process
        .flatMap(p -> p.info().totalCpuDuration())
        .map(d -> d.toNanos() / 1e9)
        .orElse(null);
  }

  private static List<Double> loadAverage(double[] means) {
    return means.length == 3 && means[0] >= 0 ? List.of(means[0], means[1], means[2]) : null;
  }

  private static Long positive(long value) {
    return value > 0 ? value : null;
  }

  private static String blankToNull(String text) {
    return text == null || text.isBlank() || text.equals("unknown") ? null : text.strip();
  }

  /** The value, or null where OSHI cannot give it: no native library, or a call that fails. */
  private static <T> T quietly(Supplier<T> read) {
    try {
      return read.get();
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }
}
