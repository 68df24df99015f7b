package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged jar as a dependency, on a class path without what only the command needs. */
class EmbeddingIT {
  private static final Path HOME = Path.of(System.getProperty("rpx.home", "")).toAbsolutePath();
  private static final Path MODEL = HOME.resolve("src/test/resources/models/identity.pt");

  @TempDir Path folder;

  /** What a build with the pom's dependencies would have: optional ones do not come along. */
  static String classPath(Path folder) throws IOException {
    // As in a repository: from its own folder it would find the command's libraries beside it.
    Path jar =
        Files.copy(HOME.resolve("target/rpx-agent.jar"), folder.resolve("rpx-agent-0.1.0.jar"));
    try (Stream<Path> libraries = Files.list(HOME.resolve("target/lib"))) {
      String all =
          libraries
              .map(Path::toString)
              .filter(p -> optional().stream().noneMatch(o -> p.contains("/" + o + "-")))
              .sorted()
              .collect(Collectors.joining(File.pathSeparator));
      assertThat(all).contains("javacpp").contains("jackson-databind");
      return jar + File.pathSeparator + all;
    }
  }

  private static List<String> optional() {
    String pom;
    try {
      pom = Files.readString(HOME.resolve("pom.xml"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> names =
        Pattern.compile("<dependency>(?:(?!</dependency>).)*<optional>true", Pattern.DOTALL)
            .matcher(pom)
            .results()
            .map(d -> d.group().replaceAll("(?s).*<artifactId>(.*?)</artifactId>.*", "$1"))
            .toList();
    assertThat(names).contains("picocli", "slf4j-nop");
    return names;
  }

  static String theProgramOfTheDocument() throws IOException {
    String page = Files.readString(HOME.resolve("docs/embedding.md"));
    Matcher block =
        Pattern.compile("```java\\n(.*?class Loop .*?)```", Pattern.DOTALL).matcher(page);
    assertThat(block.find()).isTrue();
    return block.group(1);
  }

  private ChildJvm.Result run(String name, String program) throws Exception {
    Path source = Files.writeString(folder.resolve(name + ".java"), program);
    return ChildJvm.run(
        folder,
        5,
        List.of(
            "-Dorg.bytedeco.javacpp.nopointergc=true",
            // The JIT adds threads of its own as it sees fit.
            "-XX:-UseDynamicNumberOfCompilerThreads",
            "-cp",
            classPath(folder)),
        source.toString(),
        MODEL.toString());
  }

  /** It prints nothing, and its own checks of the outputs throw. */
  @Test
  void theProgramOfTheDocumentRuns() throws Exception {
    ChildJvm.Result result = run("Loop", theProgramOfTheDocument());

    assertThat(result.text()).isEmpty();
    assertThat(result.exit()).isZero();
  }

  /** No path is set: LibTorch comes out of the jars that rpx-agent-cpu brings along. */
  @Test
  void runsOnTheLibTorchThatTheDependencyBrings() throws Exception {
    Path jars =
        HOME.resolve("cppbuild/jars-" + Path.of(System.getProperty("rpx.native")).getFileName());
    assumeThat(jars).as("bytedeco's LibTorch; absent where another one is in use").exists();
    Path source = Files.writeString(folder.resolve("Loop.java"), theProgramOfTheDocument());
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.bytedeco.javacpp.cachedir=" + folder.resolve("cache"),
                "-cp",
                classPath(folder) + File.pathSeparator + jars + "/*",
                source.toString(),
                MODEL.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(log).isEmptyFile();
    assertThat(process.exitValue()).isZero();
    assertThat(folder.resolve("cache")).isDirectoryRecursivelyContaining("glob:**libtorch_cpu*");
  }

  /** None that is left, and none in between: JavaCPP's own is left out by its option. */
  @Test
  void startsNoThread() throws Exception {
    ChildJvm.Result result =
        run(
            "Threads",
            """
            import java.lang.management.ManagementFactory;
            import java.nio.file.Path;
            import org.rpx.agent.*;

            public class Threads {
              public static void main(String[] args) {
                var threads = ManagementFactory.getThreadMXBean();
                long before = threads.getTotalStartedThreadCount();
                try (Session s = Rpx.session(ModelSource.of(Path.of(args[0])),
                    SessionOptions.threads(1).withInputs("1x4"))) {
                  s.run();
                }
                System.out.println(threads.getTotalStartedThreadCount() - before);
                try {
                  Class.forName("picocli.CommandLine");
                  System.out.println("with picocli");
                } catch (ClassNotFoundException e) {
                  System.out.println("without picocli");
                }
              }
            }
            """);

    assertThat(result.text().strip()).isEqualTo("0\nwithout picocli");
    assertThat(result.exit()).isZero();
  }
}
