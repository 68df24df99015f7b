package org.rpx.agent.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The packaged jar in a process of its own, started as the launcher starts it. */
final class Agent {
  /** What --base calls the LibTorch that the tests run on. */
  static final String LIBTORCH =
      Objects.requireNonNullElse(System.getenv("RPX_LIBTORCH"), "default");

  static final Path HOME = Path.of(System.getProperty("rpx.home", "")).toAbsolutePath();
  static final Path MODELS = HOME.resolve("src/test/resources/models");
  private static final long PATIENCE_S = 180;

  private final Path folder;
  private final List<String> options = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private long mostKib;

  /** What a run came to. */
  record Result(int exit, String out, String err) {
    List<String> errorLines() {
      return err.lines().toList();
    }
  }

  /** Runs in {@code folder}, with temporary files in its subfolder "tmp". */
  Agent(Path folder) {
    this.folder = folder;
    try {
      Files.createDirectories(temporary());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One more option for the JVM. */
  Agent with(String option) {
    options.add(option);
    return this;
  }

  /** With one more variable in its environment. */
  Agent set(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** With no more address space than this, so that a wild allocation fails at once. */
  Agent within(long kib) {
    mostKib = kib;
    return this;
  }

  Path temporary() {
    return folder.resolve("tmp");
  }

  /** The command with these arguments, to its end. */
  Result run(String... arguments) {
    return finish(start(arguments));
  }

  /** The same without waiting; stdout and stderr go to files, {@link #finish} reads them. */
  Process start(String... arguments) {
    List<String> words = new ArrayList<>(List.of("-jar", jar().toString()));
    words.addAll(Arrays.asList(arguments));
    return java(words);
  }

  /** A JVM with the launcher's options and then these words. */
  Process java(List<String> words) {
    List<String> command = new ArrayList<>();
    if (mostKib > 0)
      command.addAll(List.of("sh", "-c", "ulimit -v " + mostKib + "; exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto"));
    String natives = System.getProperty("rpx.native");
    String libraries = libTorch(Path.of(natives));
    command.add("-Dorg.bytedeco.javacpp.pathsFirst=true");
    if (System.getProperty("os.name").equals("Linux"))
      command.add("-Dorg.bytedeco.javacpp.loadlibraries=false");
    command.add("-Djava.library.path=" + natives + ":" + binding() + ":" + libraries);
    command.add("-Dorg.bytedeco.javacpp.platform.preloadpath=" + natives + ":" + libraries);
    command.add("-Djava.io.tmpdir=" + temporary());
    command.addAll(options);
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    // The JVM names these on stderr where it finds them.
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"));
    builder.environment().putAll(environment);
    try {
      return builder
          .redirectOutput(stdout().toFile())
          .redirectError(stderr().toFile())
          .redirectInput(Path.of("/dev/null").toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Result finish(Process process) {
    try {
      if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError("no end within " + PATIENCE_S + " s; so far: " + soFar());
      }
      return new Result(process.exitValue(), read(stdout()), read(stderr()));
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IllegalStateException(e);
    }
  }

  /** What stands on stderr by now. */
  String soFar() {
    return read(stderr());
  }

  static Path jar() {
    return HOME.resolve("target/rpx-agent.jar");
  }

  static String model(String file) {
    return MODELS.resolve(file).toString();
  }

  /** Everything below a folder, in order. */
  static List<Path> content(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(p -> !p.equals(folder)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path stdout() {
    return folder.resolve("stdout");
  }

  private Path stderr() {
    return folder.resolve("stderr");
  }

  /** The folder that the native build names in its file "libtorch". */
  private static String libTorch(Path natives) {
    Path named = natives.resolve("libtorch");
    return Files.exists(named) ? read(named).strip() : natives.resolve("lib").toString();
  }

  private static Path binding() {
    try (Stream<Path> all = Files.list(HOME.resolve("target/classes/org/rpx/agent/engine"))) {
      return all.filter(Files::isDirectory).findFirst().orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), Charset.defaultCharset());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
