package org.rpx.agent.host;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * A machine's files below a root folder, {@code /} or a recorded tree. A host's files may be
 * absent, forbidden, empty or odd, and none of that is an error: it is null here, and nothing
 * throws.
 *
 * <p>The files are read once, in a machine that has just started. So here and in what reads through
 * this class there are loops and {@code indexOf} in place of streams, lambdas and patterns, each of
 * which takes a millisecond or more when first used.
 */
class Tree {
  private final Path root;

  Tree(Path root) {
    this.root = root;
  }

  /** Whether this is the machine that we run on, and not a recorded tree. */
  boolean isThisMachine() {
    return root.toAbsolutePath().normalize().getParent() == null;
  }

  boolean exists(String path) {
    try {
      return Files.exists(root.resolve(path));
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** A whole file without the NULs and white space at its end; null if unreadable or blank. */
  String text(String path) {
    try {
      return read(path);
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /**
   * What a file holds, or why that cannot be had.
   *
   * @param text as {@link Tree#text} has it; null unless the state is ok
   * @param reason null where there is a text
   */
  record Look(String text, State state, String reason) {}

  /** Reads a file whose absence has to be told: whether it is not there or forbidden. */
  Look look(String path) {
    try {
      String text = read(path);
      return text == null
          ? new Look(null, State.UNSUPPORTED, "empty")
          : new Look(text, State.OK, null);
    } catch (AccessDeniedException e) {
      return new Look(null, State.DENIED, "permission denied");
    } catch (FileNotFoundException e) {
      return unopened(path);
    } catch (IOException | RuntimeException e) {
      // A sensor that is switched off at the moment: the file is there, reading it fails.
      return new Look(null, State.UNSUPPORTED, "not readable now: " + e.getMessage());
    }
  }

  /** How a path is named as the source of a figure. */
  static String source(String path) {
    return "/" + path;
  }

  /** The stream's own message is in the system's language: what is so is asked for again. */
  private Look unopened(String path) {
    try {
      Path file = root.resolve(path);
      if (Files.readAttributes(file, BasicFileAttributes.class).isDirectory()) {
        return new Look(null, State.UNSUPPORTED, "a folder");
      }
      return new Look(null, State.DENIED, "permission denied");
    } catch (AccessDeniedException e) {
      return new Look(null, State.DENIED, "permission denied");
    } catch (IOException | RuntimeException e) {
      return new Look(null, State.UNSUPPORTED, "no such file");
    }
  }

  private String read(String path) throws IOException {
    try (InputStream file = open(path)) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      int end = text.length();
      while (end > 0 && text.charAt(end - 1) <= ' ') {
        end--;
      }
      return end == 0 ? null : text.substring(0, end);
    }
  }

  /** A plain stream: through Files each first reading takes three times as long. */
  InputStream open(String path) throws IOException {
    return new FileInputStream(root.resolve(path).toFile());
  }

  /** A file's lines; empty if unreadable or blank. */
  List<String> lines(String path) {
    String text = text(path);
    List<String> lines = new ArrayList<>();
    for (int start = 0; text != null && start <= text.length(); ) {
      int end = text.indexOf('\n', start);
      end = end < 0 ? text.length() : end;
      lines.add(text.substring(start, end));
      start = end + 1;
    }
    return lines;
  }

  /**
   * The first value of {@code key} in a file of {@code key: value} lines; null if there is none.
   */
  String field(String path, String key) {
    String text = text(path);
    String label = "\n".concat(key).concat(":");
    // The line break before the text lets the first line match as the others do.
    int at = text == null ? -1 : "\n".concat(text).indexOf(label);
    if (at < 0) {
      return null;
    }
    int start = at + label.length() - 1;
    int end = text.indexOf('\n', start);
    String value = text.substring(start, end < 0 ? text.length() : end).strip();
    return value.isEmpty() ? null : value;
  }

  /** A file that holds one whole number and nothing else; null if it does not. */
  Long number(String path) {
    return whole(text(path));
  }

  /** The names in a folder, sorted; empty if it cannot be listed. */
  List<String> names(String folder) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(folder))) {
      for (Path entry : entries) {
        names.add(entry.getFileName().toString());
      }
    } catch (IOException | RuntimeException e) {
      return List.of();
    }
    names.sort(null);
    return names;
  }

  /** The whole number that a text is; null if it is none. */
  static Long whole(String text) {
    try {
      return text == null ? null : Long.valueOf(text.strip());
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
