package org.rpx.agent.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** A file that an option names and that is written whole or not at all: beside, then renamed. */
final class WholeFile {
  private final Path file;
  private final String option;

  /** Writes what the file is to hold. */
  interface Content {
    void write(OutputStream out) throws IOException;
  }

  WholeFile(Path file, String option) {
    this.file = file;
    this.option = option;
  }

  /** Finds out before long work whether its result can be written after it. */
  void check() {
    if (Files.isDirectory(file)) throw unwritable("it is a folder", null);
    // Renaming would put a file in the place of the device.
    if (Files.exists(file) && !Files.isRegularFile(file))
      throw unwritable("it is no file but a device", null);
    try {
      Files.delete(Files.createTempFile(folder(), ".rpx-", ".part"));
    } catch (IOException e) {
      throw unwritable(Output.reason(e), e);
    }
  }

  void write(Content content) {
    Path part = null;
    try {
      part = Files.createTempFile(folder(), ".rpx-", ".part");
      Path written = part;
      Interrupt.onHalt(() -> written.toFile().delete());
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
        content.write(out);
      }
      Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw unwritable(Output.reason(e), e);
    } finally {
      if (part != null) part.toFile().delete();
    }
  }

  private Path folder() {
    Path folder = file.toAbsolutePath().getParent();
    return folder == null ? file.toAbsolutePath() : folder;
  }

  private IllegalArgumentException unwritable(String reason, Exception cause) {
    return new IllegalArgumentException(
        file
            + " ("
            + option
            + ") cannot be written: "
            + reason
            + "; name a file in a folder that exists and may be written to",
        cause);
  }
}
