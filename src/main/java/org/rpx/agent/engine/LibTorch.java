package org.rpx.agent.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.bytedeco.javacpp.ClassProperties;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;

/**
 * The LibTorch of this process: whether it is there, and what it says of itself. What a method
 * needs of it is loaded first, and stays. Any thread may call; what is set holds for the whole
 * process.
 */
public final class LibTorch {
  /**
   * What {@link Binding} names, without what the linker finds by itself beside them. A program of
   * its own that tells JavaCPP to load nothing has them on java.library.path: JavaCPP's search
   * takes longer than the JVM's start.
   */
  private static final List<String> PLAIN =
      List.of("rpxenv", "c10", "torch_cpu", "rpx", "jnijavacpp", "jnirpx");

  // JavaCPP refuses its pointers where a process has more than four times the Java heap: a small
  // heap would refuse a large
  // model. What the user set stays.
  static {
    String most = "org.bytedeco.javacpp.maxPhysicalBytes";
    if (System.getProperty(most) == null
        && System.getProperty(most.toLowerCase(Locale.ROOT)) == null) System.setProperty(most, "0");
  }

  private static NativeException missing;
  private static volatile boolean loaded;

  private LibTorch() {}

  /**
   * Loads LibTorch and the facade, once.
   *
   * @throws NativeException DEVICE, with the reason, where a library is missing or does not fit
   */
  public static void load() {
    // While another thread loads: JavaCPP's classes, which the binding wants as it comes in.
    if (!loaded && plain()) Pointer.isNull(null);
    loadOnce();
  }

  private static synchronized void loadOnce() {
    if (missing != null) throw missing;
    if (loaded) return;
    LibraryCheck check = LibraryCheck.ofThisProcess();
    String unfit = check.before();
    if (unfit != null) throw refused("LibTorch cannot be loaded: " + unfit, null);
    try {
      if (plain()) {
        for (String library : PLAIN) System.loadLibrary(library);
      } else {
        Loader.load(Binding.class);
      }
      loaded = true;
    } catch (LinkageError | RuntimeException e) {
      // JavaCPP's own complaint, that a path has no such library, hides the linker's.
      Throwable cause = e;
      while (cause.getCause() != null) cause = cause.getCause();
      String reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
      String known = check.after(reason);
      throw refused(
          known != null
              ? "LibTorch cannot be loaded: " + known
              : "LibTorch cannot be loaded ("
                  + reason
                  + "): run ./cppbuild.sh, or put rpx-agent-cpu on the "
                  + (LibTorch.class.getModule().isNamed()
                      ? "module path, with --add-modules ALL-MODULE-PATH"
                      : "class path"),
          e);
    }
  }

  /** Without a question to JavaCPP's loader, which reads much when its class comes. */
  private static boolean plain() {
    return "false".equals(System.getProperty("org.bytedeco.javacpp.loadlibraries"));
  }

  private static NativeException refused(String reason, Throwable cause) {
    missing = new NativeException(NativeException.Code.DEVICE, reason);
    if (cause != null) missing.initCause(cause);
    return missing;
  }

  /**
   * The same, with libtorch, which is empty and names the others: what others compile against
   * LibTorch wants it. A CUDA build's would load all of CUDA, so that it comes only where needed.
   */
  static synchronized void loadUmbrella() {
    load();
    try {
      if (plain()) {
        System.loadLibrary("torch");
        return;
      }
      ClassProperties properties =
          Loader.loadProperties(Binding.class, Loader.loadProperties(), false);
      Loader.loadLibrary(
          Binding.class, Loader.findLibrary(Binding.class, properties, "torch", true), "torch");
    } catch (LinkageError e) {
      // Whoever wants it says that it is not there.
    }
  }

  /** The same, for a thread that loads ahead: what goes wrong is thrown to whoever loads next. */
  public static void tryLoad() {
    try {
      loadOnce();
    } catch (NativeException e) {
      // Kept for the next one.
    }
  }

  /**
   * Version, folder, build and thread pools, by name: libtorch_version, libtorch_path,
   * cpu_capability, openmp, onednn, blas, …
   */
  public static Map<String, String> facts() {
    return facts(Binding::library);
  }

  /** Lines of "key\tvalue", those without a value left out. */
  static Map<String, String> facts(Consumer<Binding.Record> fill) {
    load();
    Map<String, String> facts = new LinkedHashMap<>();
    try (Binding.Record record = new Binding.Record()) {
      fill.accept(record);
      for (String line : records(record).strings()) {
        String[] fact = line.split("\t", 2);
        if (fact.length == 2 && !fact[1].isEmpty()) facts.put(fact[0], fact[1]);
      }
    }
    // The build's folder holds a link to a LibTorch of the user's own.
    facts.computeIfPresent("libtorch_path", (key, path) -> real(path));
    return facts;
  }

  private static String real(String path) {
    try {
      return Path.of(path).toRealPath().toString();
    } catch (IOException e) {
      return path;
    }
  }

  /**
   * The device of a name: "cpu", "cuda:1", "mps", or any that this LibTorch has; "auto" for the
   * accelerator if one answers, else the CPU. A kernel has run there.
   *
   * @throws NativeException DEVICE, with the reason, where it is not there or does not work
   */
  public static Device device(String name) {
    if (name.equals(Device.CPU.name())) return Device.CPU;
    load();
    if (name.equals("auto") || name.startsWith("cuda")) CudaLibraries.prepare();
    Map<String, String> found = facts(r -> Binding.device(name, r));
    return new Device(found.get("device"), found.get("reason"));
  }

  /**
   * Bytes of a device's memory, by name, once all that was enqueued there has run; what it does not
   * tell is absent: allocated and allocated_peak (tensors), reserved and reserved_peak (the
   * allocator), free and total (the device, for all processes).
   *
   * @param reset whether to count peaks from here on
   */
  public static Map<String, Long> memory(Device device, boolean reset) {
    Map<String, Long> bytes = new LinkedHashMap<>();
    facts(r -> Binding.memory(device.name(), reset, r))
        .forEach((key, value) -> bytes.put(key, Long.parseLong(value)));
    return bytes;
  }

  /**
   * From now on a CPU tensor that would take this process more than this many bytes above its
   * present memory is refused with OUT_OF_MEMORY, before the kernel ends the process for it; null
   * ends that. Not for timed runs.
   */
  public static void hostRoom(Long bytes) {
    load();
    Binding.hostRoom(bytes == null ? -1 : bytes);
  }

  /**
   * Loads a library of custom ops, whose kernels LibTorch then has: native code, which runs as it
   * loads, for as long as the process lives.
   *
   * @throws NativeException MODEL_LOAD, with the linker's reason
   */
  public static void operators(Path library) {
    loadUmbrella();
    Binding.operators(library.toAbsolutePath().toString());
  }

  /**
   * Ends the process at once, as {@link Runtime#halt} does, without the destructors of native
   * libraries. For programs of their own only: nothing else in the process gets a chance to tidy
   * up.
   */
  public static void leave(int code) {
    if (loaded) Binding.leave(code);
    Runtime.getRuntime().halt(code);
  }

  /**
   * Lets every thread of this process, and those to come, run on some CPUs only, for as long as it
   * lives. What is read of the process's cores afterwards, and each pool's default width, follows.
   *
   * @param cpus numbers of logical CPUs
   * @throws NativeException UNSUPPORTED where the system pins nothing; DEVICE where none of them is
   *     there
   */
  public static void pin(int[] cpus) {
    load();
    Binding.pin(Arrays.stream(cpus).asLongStream().toArray(), cpus.length);
  }

  /** High water of this process's resident memory in bytes; null where the platform has none. */
  public static Long residentPeakBytes() {
    load();
    long bytes = Binding.residentPeak();
    return bytes < 0 ? null : bytes;
  }

  /** Sets the high water back to the present size; false where the platform cannot. */
  public static boolean resetResidentPeak() {
    load();
    return Binding.resetResidentPeak();
  }

  static RecordReader records(Binding.Record record) {
    long[] numbers = new long[Math.toIntExact(record.size())];
    record.numbers().get(numbers);
    return new RecordReader(numbers, record.text().getString());
  }
}
