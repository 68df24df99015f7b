package org.rpx.agent.cli;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The JVM links a native method at its first call, by a lookup that the system's linker makes wait
 * while a library's initialisers run; LibTorch's run for 0.2 s. What the command line and the
 * machine's facts need is therefore called once before: they are then read beside the initialisers.
 * A method that is missing here costs time, nothing else.
 */
final class LinkedAhead {
  private LinkedAhead() {}

  /** For the constant pools that annotations are read from. */
  @Deprecated
  private static final class Noted {}

  static void link() {
    // A class that the archive of classes does not hold, as it implements one of picocli's.
    // picocli's.
    Noted.class.getAnnotation(Deprecated.class);
    new Main.Version();
    Array.getLength(new int[0]);
    Path home = Path.of(System.getProperty("java.home"));
    Path file = home.resolve("release");
    Files.exists(file);
    Files.isReadable(file);
    file.toFile().canExecute();
    Object.class.getResource("Object.class");
    "\u2026".indexOf(0);
    try (InputStream in = new FileInputStream(file.toFile())) {
      if (in.read() >= 0) in.readAllBytes();
    } catch (IOException e) {
      // A JDK without it: the first file that is read links them.
    }
    try (InputStream in = Files.newInputStream(file)) {
      in.read();
    } catch (IOException e) {
      // The same.
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(home)) {
      files.iterator().hasNext();
    } catch (IOException e) {
      // The same.
    }
  }
}
