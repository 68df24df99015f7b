package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the launcher refuses before it builds or starts anything. */
class LauncherTest {
  private static final Path LAUNCHER =
      Path.of(System.getProperty("rpx.home", "")).toAbsolutePath().resolve("rpx-agent");

  @TempDir private Path folder;

  /** The launcher's only line, of a run that ends with 2. */
  private String refused(String libtorch, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", LAUNCHER.toString()));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().remove("RPX_LIBTORCH");
    if (libtorch != null) builder.environment().put("RPX_LIBTORCH", libtorch);
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isEqualTo(2);
    assertThat(said).hasLineCount(1);
    return said.strip();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--libtorch absent system",
        "--libtorch=absent system",
        "system --libtorch absent --format json",
        "count model.pt --libtorch=absent"
      })
  void takesTheOptionWhereverItStands(String line) throws Exception {
    assertThat(refused(null, line.split(" ")))
        .isEqualTo("rpx-agent: no such folder: absent (--libtorch)");
  }

  @Test
  void theOptionWinsOverTheEnvironment() throws Exception {
    assertThat(refused("gone", "system"))
        .isEqualTo("rpx-agent: no such folder: gone (RPX_LIBTORCH)");
    assertThat(refused("gone", "--libtorch", "absent", "system"))
        .isEqualTo("rpx-agent: no such folder: absent (--libtorch)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"system --libtorch", "system --libtorch="})
  void wantsAFolder(String line) throws Exception {
    assertThat(refused(null, line.split(" ")))
        .isEqualTo("rpx-agent: --libtorch wants the folder of an installed torch package");
  }

  @Test
  void aFolderWithoutALibTorchIsNone() throws Exception {
    Path empty = Files.createDirectory(folder.resolve("with a space"));
    assertThat(refused(null, "--libtorch", empty.toString(), "system"))
        .startsWith("rpx-agent: no LibTorch in " + empty.toRealPath() + " (--libtorch): ");
  }
}
