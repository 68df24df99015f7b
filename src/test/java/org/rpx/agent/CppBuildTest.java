package org.rpx.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A LibTorch that does not fit the platform is refused before anything is fetched or compiled. */
class CppBuildTest {
  private static final Path HOME = Path.of(System.getProperty("rpx.home", "")).toAbsolutePath();

  /** {@code e_machine} of the ELF specification. */
  private static final short X86_64 = 62;

  private static final short AARCH64 = 183;

  @TempDir Path folder;

  @Test
  void ofAnotherProcessor() throws Exception {
    library(elf(X86_64));
    assertThat(build("linux-arm64"))
        .containsExactly(
            "cppbuild: "
                + folder.toRealPath()
                + " is a LibTorch for x86-64, not for linux-arm64: name one that was made for"
                + " linux-arm64");
    library(elf(AARCH64));
    assertThat(build("linux-x86_64"))
        .containsExactly(
            "cppbuild: "
                + folder.toRealPath()
                + " is a LibTorch for arm64, not for linux-x86_64: name one that was made for"
                + " linux-x86_64");
  }

  @Test
  void noLibrary() throws Exception {
    library(new byte[0]);
    assertThat(build("linux-arm64")).singleElement().asString().contains("is no library");
    Files.delete(folder.resolve("lib/libtorch_cpu.so"));
    assertThat(build("linux-arm64")).singleElement().asString().contains("no libtorch_cpu.so in");
  }

  /** The head of a little-endian 64-bit shared library. */
  private static byte[] elf(short machine) {
    return ByteBuffer.allocate(64)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1})
        .putShort(16, (short) 3)
        .putShort(18, machine)
        .array();
  }

  private void library(byte[] content) throws IOException {
    Path header = folder.resolve("include/torch/csrc/jit/api/module.h");
    Files.createDirectories(header.getParent());
    Files.write(header, new byte[0]);
    Files.createDirectories(folder.resolve("lib"));
    Files.write(folder.resolve("lib/libtorch_cpu.so"), content);
  }

  /** What a build that fails says. */
  private List<String> build(String platform) throws Exception {
    String extension = "-refused-" + ProcessHandle.current().pid();
    ProcessBuilder builder =
        new ProcessBuilder(
            "sh",
            HOME.resolve("cppbuild.sh").toString(),
            "--platform",
            platform,
            "--extension",
            extension,
            "--libtorch",
            folder.toString());
    Process process = builder.redirectErrorStream(true).start();
    List<String> said = new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(HOME.resolve("cppbuild/" + platform + extension)).doesNotExist();
    return said;
  }
}
