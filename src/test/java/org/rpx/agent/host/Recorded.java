package org.rpx.agent.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Machines' files for tests: recorded ones, and ones written on the spot. */
final class Recorded {
  private Recorded() {}

  /** The root of a machine below {@code src/test/resources/host}. */
  static Path machine(String name) {
    try {
      return Path.of(Recorded.class.getResource("/host/" + name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  /** Writes one file below a root, over what was there. */
  static void write(Path root, String path, String text) {
    try {
      Files.createDirectories(root.resolve(path).getParent());
      Files.writeString(root.resolve(path), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
