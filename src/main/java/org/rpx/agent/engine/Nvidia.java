package org.rpx.agent.engine;

import java.util.List;

/**
 * What NVIDIA's own libraries say of the GPUs: {@code key<TAB>state<TAB>value} lines, of which the
 * state is ok, unsupported, denied or failed, and the value is the reason where it is not ok. Keys
 * of a GPU begin with {@code gpu0.}, by the library's own count. Neither library has to be there:
 * then the first line says so. Any thread may call.
 */
public final class Nvidia {
  /** What the driver installs. */
  private static final String NVML = "libnvidia-ml.so.1";

  private Nvidia() {}

  /**
   * The management library (NVML), which counts the machine's GPUs: energy_mj since the driver was
   * loaded, power_mw, sm_clock_mhz, temperature_c, throttle_reasons (the bits of nvml.h), memory.
   * First key: nvml. The first call may take tens of milliseconds.
   *
   * @throws NativeException DEVICE where LibTorch cannot be loaded
   */
  public static List<String> management() {
    return management(NVML);
  }

  static List<String> management(String library) {
    LibTorch.load();
    try (Binding.Record record = new Binding.Record()) {
      Binding.nvml(library, record);
      return record.text().getString().lines().toList();
    }
  }

  /**
   * The CUDA runtime that LibTorch has brought in, which counts the GPUs that it may use:
   * runtime_version and driver_version (1000 major + 10 minor), compute capability, clocks, memory.
   * First key: cudart. Where there is a GPU this sets up the current one for the process.
   *
   * @throws NativeException DEVICE where LibTorch cannot be loaded
   */
  public static List<String> runtime() {
    return runtime("");
  }

  static List<String> runtime(String library) {
    LibTorch.load();
    try (Binding.Record record = new Binding.Record()) {
      Binding.cudart(library, record);
      return record.text().getString().lines().toList();
    }
  }
}
