package org.rpx.agent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeTest {
  @TempDir Path root;

  @Test
  void tellsWhatIsMissing() {
    assertThat(new Tree(root).look("a/b"))
        .isEqualTo(new Tree.Look(null, State.UNSUPPORTED, "no such file"));
  }

  @Test
  void tellsWhatIsNoFile() {
    Recorded.write(root, "a/b", "");

    assertThat(new Tree(root).look("a"))
        .isEqualTo(new Tree.Look(null, State.UNSUPPORTED, "a folder"));
    assertThat(new Tree(root).look("a/b"))
        .isEqualTo(new Tree.Look(null, State.UNSUPPORTED, "empty"));
  }

  @Test
  void tellsWhatIsForbidden() throws Exception {
    Recorded.write(root, "open", "1\n");
    Recorded.write(root, "folder/inside", "1\n");
    Files.setPosixFilePermissions(
        root.resolve("open"), PosixFilePermissions.fromString("-w-------"));
    Path folder = root.resolve("folder");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rw-------"));
    try {
      assumeThat(Files.isReadable(root.resolve("open"))).as("root may read everything").isFalse();
      assertThat(new Tree(root).look("open"))
          .isEqualTo(new Tree.Look(null, State.DENIED, "permission denied"));
      assertThat(new Tree(root).look("folder/inside"))
          .isEqualTo(new Tree.Look(null, State.DENIED, "permission denied"));
    } finally {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
  }
}
