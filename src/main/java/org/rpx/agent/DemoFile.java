package org.rpx.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** A bundled model as a file, since LibTorch reads no other. */
final class DemoFile {
  private DemoFile() {}

  /** A temporary file, which the watcher is told of. */
  static Path unpack(ModelSource.Demo demo, Watch watch) {
    for (String ending : List.of(".pt", ".pt2")) {
      try (InputStream in = DemoFile.class.getResourceAsStream("demo/" + demo.name() + ending)) {
        if (in == null) continue;
        Path file = Files.createTempFile("rpx-" + demo.name() + "-", ending);
        watch.temporary(() -> delete(file));
        file.toFile().deleteOnExit();
        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        return file;
      } catch (IOException e) {
        throw new UncheckedIOException("the demo model cannot be unpacked: " + e.getMessage(), e);
      }
    }
    throw new IllegalArgumentException(
        "no demo called \""
            + demo.name()
            + "\": there are demo:resnet18, demo:mobilenet_v2 and demo:policy_transformer");
  }

  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // deleteOnExit tries again.
    }
  }
}
