package org.rpx.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each LibTorch that does not fit ends in one line with its remedy. */
class LibraryCheckTest {
  private static final String OLD = "_ZN3c106detail14torchCheckFailEPKcS2_jRKSs";
  private static final String NEW =
      "_ZN3c106detail14torchCheckFailEPKcS2_jRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";

  @TempDir private Path temporary;
  private Path root;
  private Path lib;
  private Path built;

  @BeforeEach
  void aBuildThatLinksToALibTorch() throws IOException {
    root = temporary.toRealPath();
    lib = Files.createDirectories(root.resolve("torch/lib"));
    built = Files.createDirectories(root.resolve("build"));
    Files.createSymbolicLink(built.resolve("lib"), lib);
  }

  private LibraryCheck check() {
    return new LibraryCheck(
        List.of(built, built.resolve("lib")), Elf.X86_64, new LibrarySearch(root, null));
  }

  private static Elf x86() {
    return Elf.of(Elf.X86_64);
  }

  @Test
  void nothingIsSaidOfALibraryThatFitsOrOfNone() throws IOException {
    assertThat(check().before()).isNull();
    assertThat(check().after("libtorch_cpu.so: cannot open")).isNull();
    x86().write(lib.resolve("libc10.so"));
    x86().write(lib.resolve("libtorch_cpu.so"));
    assertThat(check().before()).isNull();
  }

  @Test
  void anotherMachinesLibraryIsNamed() throws IOException {
    Elf.of(Elf.AARCH64).write(lib.resolve("libc10.so"));
    assertThat(check().before())
        .isEqualTo(
            lib
                + "/libc10.so is for AArch64, this machine is x86-64: install the torch package for"
                + " it");
  }

  @Test
  void aLibraryThatIsCutOffWouldEndTheProcess() throws IOException {
    byte[] whole = x86().needs("libc10.so").bytes();
    Files.write(lib.resolve("libtorch_cpu.so"), Arrays.copyOf(whole, whole.length - 1));
    assertThat(check().before())
        .isEqualTo(lib + "/libtorch_cpu.so is cut off: install torch again");
  }

  @Test
  void allMissingLibrariesAreListedWithWhatToInstall() throws IOException {
    x86()
        .needs("libcudart.so.12")
        .needs("libcupti.so.12")
        .needs("libnvpl_lapack_lp64_gomp.so.0")
        .needs("libcudss.so.0")
        .write(lib.resolve("libtorch_cpu.so"));
    assertThat(check().after("libcudart.so.12: cannot open shared object file"))
        .isEqualTo(
            "libcudart.so.12, libcupti.so.12, libnvpl_lapack_lp64_gomp.so.0, libcudss.so.0 are"
                + " missing, wanted by libtorch_cpu.so in "
                + lib
                + ": install the libraries of CUDA 12; install NVIDIA's NVPL (package nvpl);"
                + " install NVIDIA's cuDSS (package cudss), or add the folder that holds them to"
                + " LD_LIBRARY_PATH");
  }

  @Test
  void theOtherAbiIsNamedBeforeTheSymbolThatLacks() throws IOException {
    x86().write(lib.resolve("libtorch_cpu.so"));
    x86().symbol(OLD).write(lib.resolve("libc10.so"));
    x86().symbol(NEW).write(built.resolve("librpx.so"));
    assertThat(check().after("librpx.so: undefined symbol: " + NEW))
        .isEqualTo(
            lib
                + " has the old C++ ABI, and librpx was built for the new: build again, with"
                + " ./cppbuild.sh --libtorch "
                + root.resolve("torch"));
  }

  @Test
  void aSymbolThatLacksIsOfAnotherVersion() throws IOException {
    x86().write(lib.resolve("libtorch_cpu.so"));
    x86().symbol(NEW).write(lib.resolve("libc10.so"));
    x86().symbol(NEW).write(built.resolve("librpx.so"));
    assertThat(check().after("librpx.so: undefined symbol: _ZN2at3fooEv"))
        .startsWith("librpx was built for another LibTorch than " + lib + ": build again, with ");
    assertThat(check().after("something else")).isNull();
  }

  @Test
  void theLibraryToPreloadIsSaidExactly() throws IOException {
    Path gomp = x86().write(root.resolve("torch.libs/libgomp-804f19d4.so.1.0.0"));
    assertThat(
            check()
                .after(
                    built
                        + "/libjnirpx.so: "
                        + gomp
                        + ": cannot allocate memory in static TLS block"))
        .isEqualTo(
            "libgomp-804f19d4.so.1.0.0 wants to be loaded first on this machine: start it again with"
                + " LD_PRELOAD="
                + gomp);
    x86().write(lib.resolve("libgomp.so.1"));
    assertThat(check().after("libgomp.so.1: cannot allocate memory in static TLS block"))
        .endsWith("LD_PRELOAD=" + lib.resolve("libgomp.so.1"));
  }
}
