package org.rpx.agent;

import java.util.Map;
import java.util.function.Function;
import org.rpx.agent.engine.Device;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.measure.PeakSource;

/**
 * What the tensors of this process held on a device at most, as its allocator counts. MPS counts no
 * peak: its driver's memory, which keeps what was once needed, is looked at instead.
 */
final class AllocatorPeak implements PeakSource {
  // Bytes by name, as LibTorch.memory gives them; true begins a new peak. Null without a device.
  private final Function<Boolean, Map<String, Long>> memory;
  private String note;
  // Of a device that counts no peak: the most that was seen since the reset.
  private long seen;

  AllocatorPeak(Function<Boolean, Map<String, Long>> memory, String note) {
    this.memory = memory;
    this.note = note;
  }

  /** Of a name as {@code --device} takes it. A device that is missing has a note, and no peak. */
  static AllocatorPeak of(String name) {
    try {
      Device device = LibTorch.device(name);
      return new AllocatorPeak(reset -> LibTorch.memory(device, reset), null);
    } catch (NativeException e) {
      return new AllocatorPeak(null, e.getMessage());
    }
  }

  @Override
  public void reset() {
    seen = 0;
    if (memory != null) bytes(memory.apply(true));
  }

  @Override
  public Double peakMb() {
    return memory == null ? null : DeviceTiming.mib(bytes(memory.apply(false)));
  }

  private Long bytes(Map<String, Long> told) {
    Long peak = told.get("allocated_peak");
    if (peak != null) return peak;
    Long reserved = told.get("reserved");
    if (reserved == null) {
      note = "this LibTorch does not tell the device's memory: 2.9 and later do";
      return null;
    }
    note = "sampled: the largest of what the driver held at reset() and at each peaks()";
    seen = Math.max(seen, reserved);
    return seen;
  }

  @Override
  public String note() {
    return note;
  }
}
