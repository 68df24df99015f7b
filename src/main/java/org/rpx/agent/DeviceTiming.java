package org.rpx.agent;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.rpx.agent.engine.Device;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.engine.Transfer;
import org.rpx.agent.measure.DeviceTimes;
import org.rpx.agent.measure.Measurement.DevicePeak;
import org.rpx.agent.measure.Measurement.Peak;
import org.rpx.agent.measure.Statistics;

/** What is measured around the timed runs of a model on an accelerator. Nothing on the CPU. */
final class DeviceTiming {
  private static final int ROUNDS = 50;
  private static final int WALL_RUNS = 100;
  private static final long WALL_NS = 500_000_000;

  private final NativeSession session;
  private final Device device;
  private List<Transfer> transfers;
  private long[] wallNs;
  private Map<String, Long> before;
  private Map<String, Long> after;

  DeviceTiming(LoadedModel model) {
    session = model.session();
    device = model.device();
  }

  /** Before the warm-up, while the first run's outputs are there. */
  void copies() {
    if (!device.isCpu()) transfers = session.transfers(ROUNDS);
  }

  /** Whether the timed runs go by events. */
  boolean events() {
    return transfers != null && noEvents() == null;
  }

  private String noEvents() {
    return one("floor").reason();
  }

  /** Once warm: forwards that are waited for, at most {@code most}; then a new peak begins. */
  void before(int most) {
    if (device.isCpu()) return;
    wallNs = session.time(Math.min(most, WALL_RUNS), WALL_NS, null)[1];
    before = LibTorch.memory(device, true);
  }

  /** Behind the timed runs. */
  void after() {
    if (!device.isCpu()) after = LibTorch.memory(device, false);
  }

  /** Null on the CPU. */
  DeviceTimes times(long[] enqueueNs) {
    if (device.isCpu()) return null;
    String waited = enqueueNs == null ? "each timed run was waited for" : null;
    return new DeviceTimes(
        noEvents() != null ? noEvents() : waited,
        enqueueNs,
        wallNs,
        median("floor"),
        transfer("h2d"),
        transfer("d2h"));
  }

  /** Memory high waters, those of the host given. */
  Peak peak(Double residentMb, Double tensorMb) {
    if (device.isCpu()) return new Peak(residentMb, tensorMb, null, null);
    boolean sampled = !after.containsKey("allocated_peak");
    Double allocated = sampled ? larger("allocated") : mib(after.get("allocated_peak"));
    Double reserved = sampled ? larger("reserved") : mib(after.get("reserved_peak"));
    Long total = after.get("total");
    Long free = after.get("free");
    Double used = total == null || free == null ? null : mib(total - free);
    // MPS keeps the heaps that it once needed: what its driver holds is nearest to a high water.
    return new Peak(
        residentMb,
        tensorMb,
        device.type().equals("cuda") ? allocated : null,
        device.type().equals("mps") ? reserved : null,
        new DevicePeak(allocated, reserved, used, mib(total), sampled));
  }

  private Double larger(String key) {
    Long a = before.get(key);
    Long b = after.get(key);
    return a == null || b == null ? null : mib(Math.max(a, b));
  }

  private DeviceTimes.Transfer transfer(String direction) {
    Transfer pageable = one(direction + "_pageable");
    Transfer pinned = one(direction + "_pinned");
    if (pageable == null) return null;
    String reason = pageable.reason() != null ? pageable.reason() : pinned.reason();
    return new DeviceTimes.Transfer(
        pageable.bytes(), median(direction + "_pinned"), median(direction + "_pageable"), reason);
  }

  private Double median(String name) {
    Transfer found = one(name);
    return found == null || found.ns().length == 0
        ? null
        : Statistics.of(Arrays.copyOf(found.ns(), found.ns().length)).median() / 1e6;
  }

  private Transfer one(String name) {
    return transfers.stream().filter(t -> t.name().equals(name)).findFirst().orElse(null);
  }

  static Double mib(Long bytes) {
    return bytes == null ? null : bytes / (1024.0 * 1024.0);
  }
}
