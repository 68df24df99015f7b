package org.rpx.agent.host;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a card says that the host does not know: which LibTorch ran, and how the model was run.
 *
 * @param libtorch LibTorch's facts as it tells them; those known: libtorch_version, cpu_capability,
 *     openmp, onednn, blas, operator_threads, interop_threads, blas_threads, build
 * @param precision that the model ran at, as {@code fp32}; null if unknown
 * @param batchSize samples in a forward pass; null if unknown
 * @param inputResolution {@code WxH}; null where the input is no image
 */
public record LibraryFacts(
    Map<String, String> libtorch, String precision, Integer batchSize, String inputResolution) {

  /** Copies {@code libtorch}, keeping its order; null counts as empty. */
  public LibraryFacts {
    libtorch =
        libtorch == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(libtorch));
  }
}
