package org.rpx.agent.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Machines' files for tests: recorded ones, and ones written on the spot. A recorded machine is one
 * text file below {@code src/test/resources/host}: a line {@code == path} and what that file holds,
 * with {@code \0} for NUL. {@code == path !denied} is a file that only root may read, and {@code
 * !gated} one whose sensor is switched off, so that reading it fails.
 */
final class Recorded {
  private static final Map<String, Machine> MACHINES = new HashMap<>();

  private record Machine(Path root, Set<String> denied, Set<String> gated) {}

  private Recorded() {}

  /** The root of a recorded machine. Files that cannot be read there are missing here. */
  static Path machine(String name) {
    return unpacked(name).root();
  }

  /** A recorded machine, the files that cannot be read included. */
  static Tree tree(String name) {
    Machine machine = unpacked(name);
    return new Tree(machine.root()) {
      @Override
      InputStream open(String path) throws IOException {
        if (machine.denied().contains(path)) throw new AccessDeniedException(path);
        if (machine.gated().contains(path)) throw new IOException("Resource unavailable");
        return super.open(path);
      }
    };
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

  private static synchronized Machine unpacked(String name) {
    return MACHINES.computeIfAbsent(name, Recorded::unpack);
  }

  private static Machine unpack(String name) {
    try (InputStream recorded = Recorded.class.getResourceAsStream("/host/" + name + ".txt")) {
      Path root = Files.createTempDirectory("rpx-recorded-");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(root)));
      Machine machine = new Machine(root, new HashSet<>(), new HashSet<>());
      String text = new String(recorded.readAllBytes(), StandardCharsets.UTF_8);
      for (String file : ("\n" + text).split("\n== ")) {
        int end = file.indexOf('\n');
        String head = end < 0 ? file : file.substring(0, end);
        String path = head.split(" !")[0];
        if (head.endsWith(" !denied")) {
          machine.denied().add(path);
        } else if (head.endsWith(" !gated")) {
          machine.gated().add(path);
        } else if (!path.isBlank()) {
          String held = end < 0 ? "" : file.substring(end + 1) + "\n";
          write(root, path, held.replace("\\0", "\0"));
        }
      }
      return machine;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
