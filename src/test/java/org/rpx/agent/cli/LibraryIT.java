package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Models with an op that LibTorch has not, testops::twice. The library that has it is
 * native/test/custom_ops.cpp; "cppbuild.sh test" builds it.
 */
class LibraryIT {
  private static final Path RESOURCES = Agent.HOME.resolve("src/test/resources");

  @TempDir Path folder;
  private Agent agent;

  @BeforeEach
  void start() throws IOException {
    agent = new Agent(folder);
    changed("exported/relu.pt2", "exported.pt2", t -> t.replace("aten.relu.", "testops.twice."));
    changed(
        "models/identity.pt",
        "script.pt",
        t -> t.replace("return x", "return ops.testops.twice(x)"));
  }

  /** A copy of a model with its texts changed. */
  private void changed(String from, String to, UnaryOperator<String> change) throws IOException {
    boolean found = false;
    try (ZipFile zip = new ZipFile(RESOURCES.resolve(from).toFile());
        OutputStream out = Files.newOutputStream(folder.resolve(to));
        ZipOutputStream edited = new ZipOutputStream(out)) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(e -> (ZipEntry) e)::iterator) {
        byte[] bytes = zip.getInputStream(entry).readAllBytes();
        edited.putNextEntry(new ZipEntry(entry.getName()));
        if (entry.getName().matches(".*(models/\\w+\\.json|code/__torch__.*\\.py)")) {
          String text = new String(bytes, StandardCharsets.UTF_8);
          found |= !change.apply(text).equals(text);
          bytes = change.apply(text).getBytes(StandardCharsets.UTF_8);
        }
        edited.write(bytes);
      }
    }
    assertThat(found).as(from).isTrue();
  }

  private static String library() throws IOException {
    try (Stream<Path> built = Files.list(Path.of(System.getProperty("rpx.native")))) {
      return built
          .filter(f -> f.getFileName().toString().matches("libtestops\\.(so|dylib)"))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no libtestops: run ./cppbuild.sh test"))
          .toString();
    }
  }

  private Agent.Result run(String words, String... more) {
    List<String> all = new ArrayList<>(List.of(words.split(" ")));
    all.addAll(List.of(more));
    return agent.run(all.toArray(String[]::new));
  }

  private static void failed(Agent.Result result, int exit, String... says) {
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    assertThat(result.errorLines())
        .singleElement()
        .asString()
        .contains(says)
        .doesNotContain("internal error");
  }

  @ParameterizedTest
  @ValueSource(strings = {"exported.pt2", "script.pt"})
  void withoutTheLibraryTheErrorNamesTheOpAndTheOption(String model) {
    failed(
        run("measure " + model + " --input 4x4"),
        ExitCode.FAILED,
        model,
        "testops::twice",
        "--library libops.so",
        "--allow-native-code");
  }

  @ParameterizedTest
  @ValueSource(strings = {"exported.pt2", "script.pt"})
  void theLibraryIsNotLoadedUnlessAllowed(String model) throws IOException {
    failed(
        run("measure " + model + " --input 4x4 --library", library()),
        ExitCode.USAGE,
        "libtestops",
        "native code",
        "--allow-native-code");
  }

  @ParameterizedTest
  @ValueSource(strings = {"exported.pt2", "script.pt"})
  void withBothItRuns(String model) throws IOException {
    Agent.Result result =
        run(
            "run " + model + " --input 4x4=1.5 --output out.npz --allow-native-code --library",
            library());

    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out().strip().replaceAll("\\s+", " "))
        .isEqualTo("out0 float32 [4, 4] min 3.00000 mean 3.00000 max 3.00000 NaN 0");
  }

  /** 16 elements: 64 bytes in, 64 out. */
  @ParameterizedTest
  @ValueSource(strings = {"exported.pt2", "script.pt"})
  void withBothItIsCounted(String model) throws IOException {
    String words =
        "measure " + model + " --input 4x4 --iterations 2 --threads 1 --json - --allow-native-code";
    JsonNode plain = report(run(words + " --library", library()));
    JsonNode ruled =
        report(run(words + " --flop-rule testops::twice=in0.numel --library", library()));

    assertThat(plain.at("/tier1/flops").asLong(-1)).isZero();
    assertThat(plain.at("/tier1/flops_complete").asBoolean(true)).isFalse();
    assertThat(plain.at("/tier1/uncounted_ops/testops::twice/calls").asInt()).isEqualTo(1);
    assertThat(plain.at("/tier1/traffic/unfused_bytes").asLong()).isEqualTo(128);
    assertThat(plain.path("warnings").findValuesAsText("code"))
        .contains("FLOPS_INCOMPLETE")
        .doesNotContain("COUNTS_DIFFER");
    assertThat(ruled.at("/tier1/flops").asLong()).isEqualTo(16);
    assertThat(ruled.at("/tier1/flops_complete").asBoolean()).isTrue();
    assertThat(ruled.path("warnings").findValuesAsText("code"))
        .doesNotContain("FLOPS_INCOMPLETE", "COUNTS_DIFFER");
  }

  /** A count reads the graph alone, and needs no kernel. */
  @Test
  void aGraphIsCountedWithoutTheLibrary() throws IOException {
    JsonNode report = report(run("count exported.pt2 --json -"));

    assertThat(report.at("/tier1/uncounted_ops/testops::twice/calls").asInt()).isEqualTo(1);
  }

  private static JsonNode report(Agent.Result result) throws IOException {
    assertThat(result.exit()).as(result.err()).isZero();
    return new ObjectMapper().readTree(result.out());
  }
}
