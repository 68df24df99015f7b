package org.rpx.agent.host;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The environment variables that change what a model computes or how long it takes. */
final class ResultEnvironment {
  private static final Pattern NAMES =
      Pattern.compile(
          "(OMP|GOMP|KMP|OPENBLAS|GOTO|MKL|BLIS|DNNL|ONEDNN|PYTORCH|TORCH|CUBLAS|CUDNN)_.+"
              + "|CUDA_(VISIBLE_DEVICES|DEVICE_ORDER|MODULE_LOADING|LAUNCH_BLOCKING)"
              + "|NVIDIA_TF32_OVERRIDE|ATEN_CPU_CAPABILITY|LD_PRELOAD"
              + "|MALLOC_.+|GLIBC_TUNABLES");

  private ResultEnvironment() {}

  /** Those that are set, by name. */
  static SortedMap<String, String> of(Map<String, String> environment) {
    SortedMap<String, String> relevant = new TreeMap<>();
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      if (NAMES.matcher(variable.getKey()).matches()) {
        relevant.put(variable.getKey(), variable.getValue());
      }
    }
    return relevant;
  }
}
