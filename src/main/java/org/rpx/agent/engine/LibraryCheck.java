package org.rpx.agent.engine;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rpx.agent.elf.ElfHeader;

/**
 * Whether a LibTorch in folders can be loaded, by its ELF files; folders without one, and other
 * systems than Linux, are passed over. Each answer is one line that ends with the remedy.
 */
final class LibraryCheck {
  private static final Map<Integer, String> MACHINES = Map.of(62, "x86-64", 183, "AArch64");

  /**
   * A function that takes a std::string, which every file of ours calls: how its name goes on tells
   * the C++ ABI (GCC's _GLIBCXX_USE_CXX11_ABI).
   */
  private static final String TAKES_STRING = "_ZN3c106detail14torchCheckFailEPKcS2_jRK";

  private static final String STATIC_TLS = "([^:]+): cannot allocate memory in static TLS block";

  private static final String CUDA =
      "lib(cudart|cupti|cublas(Lt)?|cufft|nvrtc|nvJitLink)\\.so\\.(\\d+)";

  private final List<Path> folders;
  private final int machine;
  private final LibrarySearch search;

  /**
   * @param folders where LibTorch and librpx are looked for, in order
   * @param machine this one's {@code e_machine}
   */
  LibraryCheck(List<Path> folders, int machine, LibrarySearch search) {
    this.folders = folders;
    this.machine = machine;
    this.search = search;
  }

  /** Of the folders that JavaCPP's loader is told to look in, and this machine. */
  static LibraryCheck ofThisProcess() {
    String paths = System.getProperty("org.bytedeco.javacpp.platform.preloadpath", "");
    boolean arm = System.getProperty("os.arch").equals("aarch64");
    List<Path> folders = new ArrayList<>();
    for (String path : paths.split(File.pathSeparator)) {
      if (!path.isEmpty()) folders.add(Path.of(path));
    }
    return new LibraryCheck(
        folders, arm ? 183 : 62, new LibrarySearch(Path.of("/"), System.getenv("LD_LIBRARY_PATH")));
  }

  /** What would end the process, or only confuse the linker; null where there is nothing. */
  String before() {
    for (String name : List.of("libc10.so", "libtorch_cpu.so")) {
      Path file = file(name);
      if (file == null) continue;
      try (InputStream in = Files.newInputStream(file)) {
        ElfHeader head = ElfHeader.read(in);
        if (head == null) return real(file) + " is no ELF library: install torch again";
        if (head.machine() != machine)
          return real(file)
              + " is for "
              + MACHINES.getOrDefault(head.machine(), "ELF machine " + head.machine())
              + ", this machine is "
              + MACHINES.get(machine)
              + ": install the torch package for it";
        if (head.end() > Files.size(file)) return real(file) + " is cut off: install torch again";
      } catch (IOException e) {
        return real(file) + " cannot be read: check its permissions";
      }
    }
    return null;
  }

  /**
   * Why a load failed that the linker complained of so; null where the files do not tell.
   *
   * @param complaint the linker's message
   */
  String after(String complaint) {
    Matcher tls = Pattern.compile(STATIC_TLS).matcher(complaint);
    if (tls.find()) {
      Path named = Path.of(tls.group(1).strip());
      Path file = named.isAbsolute() ? named : file(named.toString());
      return named.getFileName()
          + " wants to be loaded first on this machine: start it again with LD_PRELOAD="
          + (file == null ? named : real(file));
    }
    try {
      Path torch = file("libtorch_cpu.so");
      if (torch == null) return null;
      ElfLibrary library = ElfLibrary.read(real(torch));
      String missing = library == null ? null : missing(library);
      return missing != null ? missing : abi(complaint);
    } catch (IOException e) {
      return null;
    }
  }

  private String missing(ElfLibrary library) throws IOException {
    Map<String, String> missing = search.missing(library);
    if (missing.isEmpty()) return null;
    Set<String> remedies = new LinkedHashSet<>();
    missing.keySet().forEach(name -> remedies.add(remedy(name)));
    return String.join(", ", missing.keySet())
        + (missing.size() == 1 ? " is" : " are")
        + " missing, wanted by "
        + String.join(", ", new TreeSet<>(missing.values()))
        + " in "
        + library.path().getParent()
        + ": "
        + String.join("; ", remedies)
        + ", or add the folder that holds "
        + (missing.size() == 1 ? "it" : "them")
        + " to LD_LIBRARY_PATH";
  }

  private static String remedy(String name) {
    Matcher cuda = Pattern.compile(CUDA).matcher(name);
    if (cuda.matches()) return "install the libraries of CUDA " + cuda.group(3);
    if (name.startsWith("libcudnn")) return "install cuDNN";
    if (name.startsWith("libcudss")) return "install NVIDIA's cuDSS (package cudss)";
    if (name.startsWith("libcusparseLt")) return "install NVIDIA's cuSPARSELt";
    if (name.startsWith("libnvpl")) return "install NVIDIA's NVPL (package nvpl)";
    if (name.startsWith("libgomp")) return "install libgomp1";
    if (name.startsWith("libopenblas")) return "install libopenblas0";
    return "install what holds " + name;
  }

  private String abi(String complaint) throws IOException {
    Path rpx = file("librpx.so");
    Path c10 = file("libc10.so");
    if (rpx == null || c10 == null) return null;
    Boolean ours = newAbi(rpx);
    Boolean theirs = newAbi(c10);
    String again =
        ": build again, with ./cppbuild.sh --libtorch " + real(c10).getParent().getParent();
    if (ours != null && theirs != null && !ours.equals(theirs))
      return real(c10).getParent()
          + " has the "
          + (theirs ? "new" : "old")
          + " C++ ABI, and librpx was built for the "
          + (ours ? "new" : "old")
          + again;
    if (complaint.contains("undefined symbol"))
      return "librpx was built for another LibTorch than " + real(c10).getParent() + again;
    return null;
  }

  private static Boolean newAbi(Path file) throws IOException {
    ElfLibrary library = ElfLibrary.read(file);
    if (library == null) return null;
    if (library.hasSymbol(TAKES_STRING + "NSt7__cxx11")) return true;
    return library.hasSymbol(TAKES_STRING + "Ss") ? false : null;
  }

  private Path file(String name) {
    for (Path folder : folders) {
      Path file = folder.resolve(name);
      if (Files.isRegularFile(file)) return file;
    }
    return null;
  }

  /** What a user calls it: the build's folder holds a link to LibTorch's. */
  private static Path real(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      return file;
    }
  }
}
