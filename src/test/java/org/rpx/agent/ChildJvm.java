package org.rpx.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own, for what a test cannot do in this one. */
final class ChildJvm {
  private static final Path NATIVE =
      Path.of(System.getProperty("rpx.native", "cppbuild/linux-x86_64")).toAbsolutePath();

  /** How it ended, and all that it printed. */
  record Result(int exit, String text) {}

  private ChildJvm() {}

  static Result run(Path folder, long minutes, List<String> flags, String... mainAndArguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(flags);
    all.add("-Dorg.bytedeco.javacpp.pathsFirst=true");
    all.add("-Djava.library.path=" + NATIVE + ":" + NATIVE.resolve("lib"));
    all.add("-Dorg.bytedeco.javacpp.platform.preloadpath=" + NATIVE + ":" + NATIVE.resolve("lib"));
    return runOnJars(folder, minutes, all, mainAndArguments);
  }

  /** Native libraries come out of jars only. */
  static Result runOnJars(Path folder, long minutes, List<String> flags, String... mainAndArguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-XX:-UsePerfData");
    command.addAll(List.of(mainAndArguments));
    Path log = folder.resolve("child.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (!process.waitFor(minutes, TimeUnit.MINUTES))
        throw new AssertionError(
            "still running after " + minutes + " min: " + Files.readString(log));
    } finally {
      process.destroyForcibly();
    }
    return new Result(process.exitValue(), Files.readString(log));
  }
}
