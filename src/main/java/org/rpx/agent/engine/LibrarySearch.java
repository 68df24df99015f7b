package org.rpx.agent.engine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks for libraries as the linker of Linux does (ld.so(8)): RPATH of the library and of those
 * that need it, LD_LIBRARY_PATH, RUNPATH, then the system's folders. Of another kind of system it
 * knows nothing. To explain a load that failed: the linker alone decides whether one works.
 */
final class LibrarySearch {
  private final Path root;
  private final String libraryPath;

  /**
   * @param root of the system: {@code /}
   * @param libraryPath LD_LIBRARY_PATH, or null
   */
  LibrarySearch(Path root, String libraryPath) {
    this.root = root;
    this.libraryPath = libraryPath == null ? "" : libraryPath;
  }

  private record Load(ElfLibrary library, List<Path> inherited) {}

  /**
   * Names that a library needs, itself or through others, and that are nowhere to be found.
   *
   * @return each with the file name of the first library that needs it, in the order of loading
   */
  Map<String, String> missing(ElfLibrary library) throws IOException {
    Map<String, String> missing = new LinkedHashMap<>();
    List<Path> system = systemFolders();
    Set<String> seen = new HashSet<>();
    Deque<Load> left = new ArrayDeque<>();
    left.add(new Load(library, List.of()));
    while (!left.isEmpty()) {
      Load load = left.remove();
      ElfLibrary each = load.library();
      List<Path> rpath = new ArrayList<>(folders(each, each.rpath()));
      rpath.addAll(load.inherited());
      List<Path> all = new ArrayList<>(each.runpath().isEmpty() ? rpath : List.of());
      for (String folder : libraryPath.split(":")) if (!folder.isEmpty()) all.add(Path.of(folder));
      all.addAll(folders(each, each.runpath()));
      all.addAll(system);
      for (String name : each.needed()) {
        if (!seen.add(name)) continue;
        ElfLibrary found = find(name, each.machine(), all);
        if (found == null) missing.put(name, each.path().getFileName().toString());
        else left.add(new Load(found, rpath));
      }
    }
    return missing;
  }

  private static ElfLibrary find(String name, int machine, List<Path> folders) {
    for (Path folder : folders) {
      Path file = folder.resolve(name);
      if (!Files.isRegularFile(file)) continue;
      try {
        ElfLibrary library = ElfLibrary.read(file);
        // The linker passes over one for another machine.
        if (library != null && library.machine() == machine) return library;
      } catch (IOException e) {
        // As it does over one that it cannot read.
      }
    }
    return null;
  }

  private static List<Path> folders(ElfLibrary library, List<String> written) {
    String origin = library.path().toAbsolutePath().getParent().toString();
    return written.stream()
        .filter(folder -> !folder.isEmpty())
        .map(f -> Path.of(f.replace("${ORIGIN}", origin).replace("$ORIGIN", origin)))
        .toList();
  }

  private List<Path> systemFolders() throws IOException {
    List<Path> folders = new ArrayList<>();
    configured(root.resolve("etc/ld.so.conf"), folders, 0);
    for (String each : List.of("lib64", "usr/lib64", "lib", "usr/lib"))
      folders.add(root.resolve(each));
    return folders;
  }

  /** Folders that a file of ld.so.conf's kind names, one a line, and those of files it includes. */
  private void configured(Path file, List<Path> folders, int depth) throws IOException {
    if (!Files.isReadable(file) || depth > 8) return;
    for (String line : Files.readAllLines(file)) {
      String text = line.replaceFirst("#.*", "").strip();
      if (text.startsWith("include ")) {
        Path pattern = file.resolveSibling(text.substring(8).strip());
        if (pattern.isAbsolute() && !pattern.startsWith(root))
          pattern = root.resolve(pattern.toString().substring(1));
        if (!Files.isDirectory(pattern.getParent())) continue;
        try (DirectoryStream<Path> included =
            Files.newDirectoryStream(pattern.getParent(), pattern.getFileName().toString())) {
          for (Path each : included) configured(each, folders, depth + 1);
        }
      } else if (text.startsWith("/")) {
        folders.add(root.resolve(text.substring(1)));
      }
    }
  }
}
