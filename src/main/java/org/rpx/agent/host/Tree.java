package org.rpx.agent.host;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
final class Tree {
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
    // A plain stream: through Files each first reading takes three times as long.
    try (InputStream file = new FileInputStream(root.resolve(path).toFile())) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      int end = text.length();
      while (end > 0 && text.charAt(end - 1) <= ' ') {
        end--;
      }
      return end == 0 ? null : text.substring(0, end);
    } catch (IOException | RuntimeException e) {
      return null;
    }
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
