package org.rpx.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By the rules of ld.so(8), on trees of small files. */
class LibrarySearchTest {
  @TempDir private Path root;
  private Path torch;

  @BeforeEach
  void folders() {
    torch = root.resolve("site/torch/lib");
  }

  private Map<String, String> missing(Elf library, String libraryPath) throws IOException {
    ElfLibrary read = ElfLibrary.read(library.write(torch.resolve("libtorch_cpu.so")));
    return new LibrarySearch(root, libraryPath).missing(read);
  }

  private static Elf x86() {
    return Elf.of(Elf.X86_64);
  }

  @Test
  void findsByRunpathFromTheLibrarysOwnFolder() throws IOException {
    x86().write(root.resolve("site/nvidia/lib/libcudart.so.12"));
    x86().write(torch.resolve("libc10.so"));
    Elf library =
        x86()
            .needs("libc10.so")
            .needs("libcudart.so.12")
            .needs("libcupti.so.12")
            .runpath("$ORIGIN/../../nvidia/lib:${ORIGIN}");
    assertThat(missing(library, null)).containsExactly(entry("libcupti.so.12", "libtorch_cpu.so"));
  }

  @Test
  void anRpathHoldsForWhatIsNeededFurtherOnAndARunpathDoesNot() throws IOException {
    x86().needs("libfar.so").write(root.resolve("near/libnear.so"));
    x86().write(root.resolve("near/libfar.so"));
    String near = root.resolve("near").toString();
    assertThat(missing(x86().needs("libnear.so").rpath(near), null)).isEmpty();
    assertThat(missing(x86().needs("libnear.so").runpath(near), null))
        .containsExactly(entry("libfar.so", "libnear.so"));
  }

  @Test
  void findsByLdLibraryPathAndInTheSystemsFolders() throws IOException {
    x86().write(root.resolve("opt/cuda/libcudart.so.12"));
    x86().write(root.resolve("usr/lib/libm.so.6"));
    x86().write(root.resolve("usr/local/lib/libnvpl_blas.so.0"));
    Files.createDirectories(root.resolve("etc/ld.so.conf.d"));
    Files.writeString(root.resolve("etc/ld.so.conf"), "include /etc/ld.so.conf.d/*.conf\n");
    Files.writeString(root.resolve("etc/ld.so.conf.d/a.conf"), "# a comment\n/usr/local/lib\n");
    Elf library = x86().needs("libcudart.so.12").needs("libm.so.6").needs("libnvpl_blas.so.0");
    assertThat(missing(library, root.resolve("opt/cuda").toString())).isEmpty();
    assertThat(missing(library, null)).containsOnlyKeys("libcudart.so.12");
  }

  @Test
  void passesOverALibraryForAnotherMachine() throws IOException {
    Elf.of(Elf.AARCH64).write(torch.resolve("libc10.so"));
    assertThat(missing(x86().needs("libc10.so").runpath("$ORIGIN"), null))
        .containsOnlyKeys("libc10.so");
    x86().write(root.resolve("lib/libc10.so"));
    assertThat(missing(x86().needs("libc10.so").runpath("$ORIGIN"), null)).isEmpty();
  }

  @Test
  void librariesThatNeedEachOtherComeToAnEnd() throws IOException {
    x86().needs("libtorch_cpu.so").runpath("$ORIGIN").write(torch.resolve("libc10.so"));
    assertThat(missing(x86().needs("libc10.so").runpath("$ORIGIN"), null)).isEmpty();
  }
}
