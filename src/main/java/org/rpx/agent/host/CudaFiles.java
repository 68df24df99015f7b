package org.rpx.agent.host;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Versions of CUDA's toolkit and of cuDNN as far as installed files tell them. A LibTorch that
 * brings its own copies need not use either.
 */
final class CudaFiles {
  private static final String TOOLKIT = "usr/local/cuda/";
  // Compiled where there is a file to read: most machines have none.
  private static final String JSON = "\"cuda\"\\s*:\\s*\\{[^}]*\"version\"\\s*:\\s*\"([\\d.]+)\"";
  private static final String TEXT = "CUDA Version ([\\d.]+)";
  private static final String CUDNN = "#define CUDNN_(?:MAJOR|MINOR|PATCHLEVEL)\\s+(\\d+)";
  private static final String LIBRARY = "^libcudnn\\.so\\.(\\d+\\.\\d+\\.\\d+)$";
  private static final List<String> MACHINES = List.of("aarch64-linux-gnu", "x86_64-linux-gnu");

  private CudaFiles() {}

  /** The toolkit's version; null where none is installed in the usual place. */
  static String toolkit(Tree tree) {
    String json = group(JSON, tree.text(TOOLKIT + "version.json"));
    // Up to CUDA 11.0, and with it JetPack 4.
    return json != null ? json : group(TEXT, tree.text(TOOLKIT + "version.txt"));
  }

  /** cuDNN's version; null where none is installed in the usual places. */
  static String cudnn(Tree tree) {
    for (String folder :
        List.of(
            "usr/include/",
            "usr/include/aarch64-linux-gnu/",
            "usr/include/x86_64-linux-gnu/",
            TOOLKIT + "include/")) {
      for (String header : List.of("cudnn_version.h", "cudnn_version_v9.h")) {
        String text = tree.text(folder + header);
        String version = text == null ? null : joined(Pattern.compile(CUDNN).matcher(text));
        if (version != null) {
          return version;
        }
      }
    }
    // A board's runtime comes without headers. Elsewhere these folders are too large to look at.
    for (String machine : tree.exists("etc/nv_tegra_release") ? MACHINES : List.<String>of()) {
      for (String name : tree.names("usr/lib/" + machine)) {
        String version = name.startsWith("libcudnn.so.") ? group(LIBRARY, name) : null;
        if (version != null) {
          return version;
        }
      }
    }
    return null;
  }

  private static String group(String pattern, String text) {
    if (text == null) {
      return null;
    }
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    return matcher.find() ? matcher.group(1) : null;
  }

  /** Major, minor and patch level stand in this order. */
  private static String joined(Matcher matcher) {
    StringBuilder version = new StringBuilder();
    for (int i = 0; i < 3; i++) {
      if (!matcher.find()) {
        return null;
      }
      version.append(i == 0 ? "" : ".").append(matcher.group(1));
    }
    return version.toString();
  }
}
