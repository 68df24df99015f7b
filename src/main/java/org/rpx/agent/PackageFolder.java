package org.rpx.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.rpx.agent.exported.CompiledPackage;

/**
 * Where a package lies while it is loaded: a temporary folder of ours with a copy that is checked,
 * and the folder that LibTorch's loader unpacks the copy to, which it forgets where loading fails.
 * Neither is needed once the code is loaded.
 */
final class PackageFolder implements AutoCloseable {
  /** Where it may unpack: that of LibTorch 2.10 to /tmp always, that of 2.15 as variables say. */
  private static final List<String> LOADERS =
      Stream.concat(
              Stream.of("/tmp"), Stream.of("TMPDIR", "TMP", "TEMP", "TEMPDIR").map(System::getenv))
          .filter(Objects::nonNull)
          .distinct()
          .toList();

  private final Path ours;
  private volatile String mark;
  private boolean kept;

  private PackageFolder(Path ours) {
    this.ours = ours;
  }

  static PackageFolder create() throws IOException {
    return new PackageFolder(Files.createTempDirectory("rpx-package-"));
  }

  /**
   * The copy. The name of our folder is nobody else's: by it the loader's folder is found again.
   */
  Path fill(CompiledPackage compiled) {
    Path archive = ours.resolve("model.pt2");
    mark = compiled.repack(archive, ours.getFileName().toString());
    return archive;
  }

  /** The loader removes what it unpacked when the session ends. */
  void keepUnpacked() {
    kept = true;
  }

  @Override
  public void close() {
    remove(ours);
    if (!kept) removeUnpacked();
  }

  /** All of it, from any thread, where the process ends before the session. */
  void abandon() {
    remove(ours);
    removeUnpacked();
  }

  private void removeUnpacked() {
    if (mark == null) return;
    for (String place : LOADERS) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of(place))) {
        for (Path folder : all)
          if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
              && Files.exists(folder.resolve(mark))) remove(folder);
      } catch (IOException e) {
        // What cannot be listed cannot be removed.
      }
    }
  }

  private static void remove(Path folder) {
    try (Stream<Path> below = Files.walk(folder)) {
      below.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
    } catch (IOException | UncheckedIOException e) {
      // Nor that; another thread may be at it.
    }
  }
}
