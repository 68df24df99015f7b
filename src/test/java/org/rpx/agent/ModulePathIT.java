package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged jar as a module that another module requires. */
class ModulePathIT {
  private static final Path HOME = Path.of(System.getProperty("rpx.home", "")).toAbsolutePath();
  private static final Path MODEL = HOME.resolve("src/test/resources/models/identity.pt");

  @TempDir Path folder;
  private String modulePath;

  @BeforeEach
  void withoutWhatIsOptional() throws Exception {
    modulePath = EmbeddingIT.classPath(folder);
  }

  private Path classes() {
    return folder.resolve("classes");
  }

  /** What javac says of a module "user" with one class, in the words of its own keys. */
  private String compile(String requires, String name, String program) throws Exception {
    Path sources = Files.createDirectories(folder.resolve("user/user")).getParent();
    Path module =
        Files.writeString(
            sources.resolve("module-info.java"),
            "module user { "
                + Arrays.stream(requires.split(" "))
                    .map(r -> "requires " + r + "; ")
                    .collect(Collectors.joining())
                + "}");
    Path source =
        Files.writeString(sources.resolve("user/" + name + ".java"), "package user;\n" + program);
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    ToolProvider.findFirst("javac")
        .orElseThrow()
        .run(
            out,
            out,
            "-XDrawDiagnostics",
            // Else that of this JVM.
            "--class-path",
            "",
            "--module-path",
            modulePath,
            "-d",
            classes().toString(),
            module.toString(),
            source.toString());
    return said.toString();
  }

  private ChildJvm.Result run(List<String> flags, String name, String... arguments)
      throws Exception {
    List<String> all = new ArrayList<>(flags);
    all.addAll(List.of("--module-path", classes() + File.pathSeparator + modulePath));
    List<String> words = new ArrayList<>(List.of("--module", "user/user." + name));
    words.addAll(List.of(arguments));
    return ChildJvm.run(folder, 5, all, words.toArray(String[]::new));
  }

  private static void passed(ChildJvm.Result result, String says) {
    assertThat(result.text().strip()).isEqualTo(says);
    assertThat(result.exit()).isZero();
  }

  @Test
  void theJarHasADescriptor() {
    assertThat(ModuleFinder.of(HOME.resolve("target/rpx-agent.jar")).find("org.rpx.agent"))
        .get()
        .satisfies(m -> assertThat(m.descriptor().isAutomatic()).isFalse());
  }

  @Test
  void theProgramOfTheDocumentRuns() throws Exception {
    assertThat(compile("org.rpx.agent", "Loop", EmbeddingIT.theProgramOfTheDocument())).isEmpty();

    passed(run(List.of(), "Loop", MODEL.toString()), "");
  }

  /** JavaCPP finds the libraries in modules that nothing requires. */
  @Test
  void runsOnTheLibTorchOfTheJarsWithTheOptionOfTheDocument() throws Exception {
    Path jars =
        HOME.resolve("cppbuild/jars-" + Path.of(System.getProperty("rpx.native")).getFileName());
    assumeThat(jars).as("bytedeco's LibTorch; absent where another one is in use").exists();
    String option = "--add-modules ALL-MODULE-PATH";
    assertThat(HOME.resolve("docs/embedding.md")).content().contains(option);
    modulePath += File.pathSeparator + jars;
    assertThat(compile("org.rpx.agent", "Loop", EmbeddingIT.theProgramOfTheDocument())).isEmpty();

    passed(
        ChildJvm.runOnJars(
            folder,
            5,
            List.of(
                option.replace(' ', '='),
                "-Dorg.bytedeco.javacpp.cachedir=" + folder.resolve("cache"),
                "--module-path",
                classes() + File.pathSeparator + modulePath),
            "--module",
            "user/user.Loop",
            MODEL.toString()),
        "");
    assertThat(folder.resolve("cache")).isDirectoryRecursivelyContaining("glob:**libtorch_cpu*");
  }

  @Test
  void aBlackBoxIsWrittenAndReadWithoutTheOptionalModules() throws Exception {
    String program =
        """
        import java.nio.file.Path;
        import org.rpx.agent.monitor.*;

        public class Box {
          public static void main(String[] args) throws Exception {
            try (LatencyMonitor m =
                LatencyMonitor.named("policy").blackBox(Path.of(args[0]), 16).build()) {
              for (int i = 0; i < 5; i++) m.end(m.begin());
            }
            System.out.println(
                BlackBoxFile.read(Path.of(args[0], "rpx-policy.ring")).cycles().size());
            for (String each : new String[] {"info.picocli", "HdrHistogram", "jdk.jfr"})
              System.out.println(ModuleLayer.boot().findModule(each).isPresent());
          }
        }
        """;
    assertThat(compile("org.rpx.agent", "Box", program)).isEmpty();

    // A whole JDK has jdk.jfr in any case: without is as in an image that jlink made.
    passed(
        run(List.of("--limit-modules", "user"), "Box", folder.toString()),
        "5\nfalse\nfalse\nfalse");
  }

  /** HdrHistogram's module has its name from its file; Prometheus' exporter cannot say jdk's. */
  @Test
  void exportsAreThereForWhoRequiresTheirLibraries() throws Exception {
    modulePath +=
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(p -> p.contains("HdrHistogram") || p.contains("prometheus"))
            .map(p -> File.pathSeparator + p)
            .collect(Collectors.joining());
    String program =
        """
        import java.net.URI;
        import java.nio.file.*;
        import org.rpx.agent.hlog.*;
        import org.rpx.agent.monitor.*;
        import org.rpx.agent.prometheus.*;

        public class Exports {
          public static void main(String[] args) throws Exception {
            Path file = Path.of(args[0], "policy.hlog");
            try (LatencyMonitor m = LatencyMonitor.named("policy").build();
                HistogramLog log = new HistogramLog(m, file);
                MonitorEndpoint end = MonitorEndpoint.start(0, m)) {
              for (int i = 0; i < 5; i++) m.end(m.begin());
              log.append();
              System.out.println(Files.readString(file).contains("Tag=cycle"));
              URI page = URI.create("http://localhost:" + end.port() + "/metrics");
              try (var in = page.toURL().openStream()) {
                new String(in.readAllBytes()).lines()
                    .filter(l -> l.startsWith("rpx_cycle_seconds_count")).forEach(System.out::println);
              }
            }
          }
        }
        """;
    assertThat(
            compile(
                "org.rpx.agent HdrHistogram io.prometheus.metrics.exporter.httpserver"
                    + " jdk.httpserver",
                "Exports",
                program))
        .doesNotContain("compiler.err");

    passed(
        run(List.of(), "Exports", folder.toString()),
        "true\nrpx_cycle_seconds_count{monitor=\"policy\"} 5");
  }

  @Test
  void whatIsNotApiIsHidden() throws Exception {
    assertThat(
            compile(
                "org.rpx.agent", "Peek", "class Peek { org.rpx.agent.exported.Archive archive; }"))
        .contains("compiler.err.not.def.public")
        .contains(": org.rpx.agent.exported.Archive, ");
  }
}
