package org.rpx.agent.cli;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
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

  /** For what reflection needs to call a nest mate's private method. */
  private static final class Mate {
    private static void called() {}
  }

  static void link() {
    try {
      Mate.class.getDeclaredMethod("called").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.toString(), e);
    }
    // An exception's trace.
    new Throwable();
    // What annotations are read with; an annotation itself would be a proxy, made in 10 ms.
    LinkedAhead.class.getAnnotations();
    for (Method each : Deprecated.class.getDeclaredMethods()) each.getDefaultValue();
    // A class that the archive of classes does not hold, as it implements one of picocli's.
    new Main.Version();
    Array.getLength(new int[0]);
    Path home = Path.of(System.getProperty("java.home"));
    Path file = home.resolve("release");
    Files.exists(file);
    Files.isReadable(file);
    file.toFile().canExecute();
    StrictMath.log1p(StrictMath.expm1(Float.intBitsToFloat(0)));
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
