package org.rpx.agent.engine;

import java.io.IOException;
import java.net.URL;
import java.util.List;
import org.bytedeco.javacpp.Loader;

/**
 * CUDA's part of bytedeco's LibTorch, out of the jars of rpx-agent-gpu. It takes seconds and most
 * of a gigabyte, so that it comes when a CUDA device is asked for.
 */
final class CudaLibraries {
  private static final String CUDA = "/org/bytedeco/cuda/" + Loader.getPlatform() + "/";
  private static final String TORCH = "/org/bytedeco/pytorch/" + Loader.getPlatform() + "-gpu/";

  // Each wants those before it. The linker finds by their names what the process has loaded.
  private static final List<String> RUNTIME =
      List.of(
          "libnvJitLink.so.13",
          "libnvrtc.so.13",
          "libcurand.so.10",
          "libcufft.so.12",
          "libcufile.so.0");

  // Beside libtorch_cpu, where LibTorch and the facade look for them.
  private static final List<String> KERNELS =
      List.of("libc10_cuda.so", "libtorch_cuda_linalg.so", "libtorch_cuda.so");

  private CudaLibraries() {}

  /** Makes them ready; nothing where the jars are not there. */
  static void prepare() {
    try {
      if (resource(TORCH + "libtorch_cuda.so") == null) return;
      for (String name : RUNTIME) {
        String file = unpacked(CUDA + name);
        if (file != null) System.load(file);
      }
      for (String name : KERNELS) unpacked(TORCH + name);
    } catch (IOException | LinkageError e) {
      // Whoever opens libtorch_cuda says what is missing.
    }
  }

  /** On a module path a class finds what its own module has only; JavaCPP looks in all. */
  private static URL resource(String path) throws IOException {
    return Loader.findResource(Binding.class, path);
  }

  private static String unpacked(String path) throws IOException {
    URL url = resource(path);
    return url == null ? null : Loader.cacheResource(url).getPath();
  }
}
