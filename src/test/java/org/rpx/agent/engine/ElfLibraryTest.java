package org.rpx.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElfLibraryTest {
  @TempDir private Path folder;

  @Test
  void tellsWhatALibraryNeedsAndWhereItIsLookedFor() throws IOException {
    Path file =
        Elf.of(Elf.AARCH64)
            .soname("libtorch_cpu.so")
            .needs("libc10.so")
            .needs("libcudart.so.12")
            .runpath("$ORIGIN/../../nvidia/cuda_runtime/lib:$ORIGIN")
            .symbol("_ZN3c105ErrorC1ENS_14SourceLocationESs")
            .write(folder.resolve("libtorch_cpu.so"));

    ElfLibrary library = ElfLibrary.read(file);

    assertThat(library.machine()).isEqualTo(183);
    assertThat(library.soname()).isEqualTo("libtorch_cpu.so");
    assertThat(library.needed()).containsExactly("libc10.so", "libcudart.so.12");
    assertThat(library.runpath())
        .containsExactly("$ORIGIN/../../nvidia/cuda_runtime/lib", "$ORIGIN");
    assertThat(library.rpath()).isEmpty();
    assertThat(library.hasSymbol("_ZN3c105ErrorC1ENS_14SourceLocationE")).isTrue();
    assertThat(library.hasSymbol("ErrorC1")).as("inside a symbol, not at its beginning").isFalse();
  }

  @Test
  void anRpathDoesNotCountBesideARunpath() throws IOException {
    Elf both = Elf.of(Elf.X86_64).rpath("/a").runpath("/b");
    ElfLibrary library = ElfLibrary.read(both.write(folder.resolve("a.so")));
    assertThat(library.rpath()).isEmpty();
    assertThat(library.runpath()).containsExactly("/b");
    ElfLibrary alone =
        ElfLibrary.read(Elf.of(Elf.X86_64).rpath("/a:/c").write(folder.resolve("b.so")));
    assertThat(alone.rpath()).containsExactly("/a", "/c");
  }

  @Test
  void otherFilesAreNoLibraries() throws IOException {
    assertThat(ElfLibrary.read(Files.writeString(folder.resolve("short"), "ELF"))).isNull();
    assertThat(ElfLibrary.read(Files.write(folder.resolve("zeros"), new byte[4096]))).isNull();
  }

  @Test
  void aFileThatIsCutOffAnywhereIsRefusedNotMisread() throws IOException {
    byte[] whole = Elf.of(Elf.X86_64).soname("a.so").needs("libc.so.6").bytes();
    for (int size = 64; size < whole.length; size++) {
      Path part = Files.write(folder.resolve("part"), Arrays.copyOf(whole, size));
      assertThatThrownBy(() -> ElfLibrary.read(part))
          .as("the first %d of %d bytes", size, whole.length)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aByteThatIsWrongEndsInAnIoExceptionAtMost() throws IOException {
    byte[] whole = Elf.of(Elf.X86_64).soname("a.so").needs("libc.so.6").runpath("/x").bytes();
    for (int at = 0; at < whole.length; at++) {
      for (int value : new int[] {0, 0x7f, 0xff}) {
        byte[] damaged = whole.clone();
        damaged[at] = (byte) value;
        Path file = Files.write(folder.resolve("damaged"), damaged);
        try {
          ElfLibrary.read(file);
        } catch (IOException e) {
          assertThat(e).hasMessageStartingWith("it");
        }
      }
    }
  }
}
