package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rpx.agent.exported.SparseArchive;

/** Programs of torch.export are counted from their graph: no LibTorch, no weights, no traces. */
class ExportedIT {
  private static final Path RESOURCES = Agent.HOME.resolve("src/test/resources/exported");

  @TempDir Path folder;
  private Agent agent;
  private Path models;

  @BeforeEach
  void start() throws IOException {
    agent = new Agent(folder);
    models = Files.createDirectory(folder.resolve("models"));
  }

  private String model(String name) {
    return RESOURCES.resolve(name + ".pt2").toString();
  }

  /** LibTorch where it is not to be found. */
  private void withoutLibTorch() {
    agent.with("-Djava.library.path=" + folder.resolve("none"));
    agent.with("-Dorg.bytedeco.javacpp.platform.preloadpath=" + folder.resolve("none"));
    agent.with("-Dorg.bytedeco.javacpp.cachedir=" + folder.resolve("cache"));
  }

  @Test
  void needsNoLibTorch() throws IOException {
    withoutLibTorch();
    Agent.Result result = agent.run("count", model("export_case_01_sdpa"), "--json", "-");

    assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.OK);
    JsonNode report = new ObjectMapper().readTree(result.out());
    // 4 · 12 heads · 64² · 64
    assertThat(report.path("tier1").path("flops").asLong()).isEqualTo(12_582_912);
    assertThat(report.path("tier2")).hasSize(3);
    assertThat(folder.resolve("cache")).as("what JavaCPP unpacks").doesNotExist();

    Agent.Result script = agent.run("count", Agent.model("bn_train.pt"), "--input", "2x3x16x16");
    assertThat(script.exit()).isEqualTo(ExitCode.FAILED);
    assertThat(script.errorLines())
        .singleElement()
        .asString()
        .contains("LibTorch cannot be loaded");
  }

  @Test
  void whatIsWrongWithAFileNeedsNoneEither() throws IOException {
    withoutLibTorch();
    byte[] whole = Files.readAllBytes(RESOURCES.resolve("export_dynamic_batch.pt2"));
    Files.write(models.resolve("cut.pt2"), Arrays.copyOf(whole, whole.length / 2));
    Files.writeString(models.resolve("text.pt2"), "not a model");
    wrong(4, "count models/cut.pt2", "it is damaged", "copy or export it again");
    wrong(4, "count models/text.pt2", "it is no zip archive", "torch.export.save");
    wrong(4, "count models/none.pt2", "no such file", "check the path");
  }

  @Test
  void writesNothingBesideTheFileOrAnywhereElse() throws IOException {
    Path file = models.resolve("model.pt2");
    Files.copy(RESOURCES.resolve("export_dict_input.pt2"), file);
    FileTime then = FileTime.fromMillis(1_000_000_000_000L);
    Files.setLastModifiedTime(file, then);
    byte[] before = Files.readAllBytes(file);
    List<Path> all = Agent.content(folder);

    Agent.Result result = agent.run("count", file.toString());

    assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.OK);
    assertThat(Agent.content(folder)).containsAll(all).hasSize(all.size() + 2);
    assertThat(Agent.content(models)).containsExactly(file);
    assertThat(Agent.content(agent.temporary())).isEmpty();
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    assertThat(Files.getLastModifiedTime(file)).isEqualTo(then);
  }

  /** 5 GB in each weight, and a heap of 32 MB. */
  @Test
  void weightsOfAnySizeCostNothing() throws IOException {
    String name = "export_dynamic_batch";
    String option = "--batch 2";
    Path file = SparseArchive.write(name, models.resolve("large.pt2"), 5_000_000_000L);
    assertThat(Files.size(file)).isGreaterThan(5_000_000_000L);
    agent.with("-Xmx32m");
    long start = System.nanoTime();
    Agent.Result large = agent.run(words("count " + file + " --json - " + option));
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    Agent.Result small = agent.run(words("count " + model(name) + " --json - " + option));

    assertThat(large.exit()).as(large.err()).isEqualTo(ExitCode.OK);
    // A second or less; reading 5 GB takes longer than this on most machines.
    assertThat(took).isLessThan(Duration.ofSeconds(15));
    JsonNode report = new ObjectMapper().readTree(large.out());
    assertThat(report.path("tier1"))
        .isEqualTo(new ObjectMapper().readTree(small.out()).path("tier1"));
    assertThat(report.path("model").path("bytes").asLong()).isEqualTo(Files.size(file));
    assertThat(report.path("model").path("sha256").isNull()).isTrue();
    assertThat(report.path("warnings").findValuesAsText("message"))
        .anyMatch(m -> m.startsWith("model.sha256"));
  }

  /** A fault of the file is 4, one of the command line 2. */
  @ParameterizedTest
  @CsvSource({
    "2, --input 65x3x64x64, dimension 0 of input x is 65, give such a size",
    "2, --batch 65, dimension 0 of input x is 65, give such a size",
    "2, --input 2x3x64, input x has 3 dimensions, give as many",
    "2, --input y:2x3x64x64, no input, forward takes x",
    "2, --precision fp16, --precision, export it again",
    "2, --flop-rule aten::relu=9223372036854775807, pass 2^63, --flop-rule"
  })
  void wrongWords(int exit, String options, String names, String remedy) {
    wrong(exit, "count " + model("export_dynamic_batch") + " " + options, names, remedy);
  }

  @Test
  void wrongFiles() throws IOException {
    wrong(
        4, "count " + model("value_sized"), "does not follow from the inputs", "export the model");
    graph("broken.pt2", "{\"graph_module\": {\"graph\": {}}, \"schema_version\": {\"major\": 8}}");
    wrong(4, "count models/broken.pt2", "has no \"inputs\"", "export it again");
    graph("new.pt2", "{\"schema_version\": {\"major\": 9}}");
    wrong(4, "count models/new.pt2", "its schema version is 9.0", "export it with torch 2.5");
  }

  @Test
  void totalsPastTheirRangeOfAModelThatRan() {
    String model = "count " + Agent.model("bn_train.pt") + " --input 2x3x16x16";
    String rules = " --flop-rule aten::conv2d=9223372036854775807";
    String line = " --flop-rule aten::batch_norm=9223372036854775807";
    wrong(2, model + rules + line, "bn_train.pt", "pass 2^63", "--flop-rule");
  }

  @Test
  void tooLittleMemory() throws IOException {
    agent.with("-Xmx16m");
    graph("large.pt2", "{\"torch_version\": \"" + "x".repeat(19_000_000) + "\"}");
    wrong(4, "count models/large.pt2", "out of Java memory", "RPX_JAVA_OPTS=-Xmx");
  }

  private void graph(String name, String json) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(models.resolve(name)))) {
      zip.putNextEntry(new ZipEntry("m/models/model.json"));
      zip.write(json.getBytes(StandardCharsets.UTF_8));
    }
  }

  private void wrong(int exit, String words, String... says) {
    Agent.Result result = agent.run(words(words));
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    assertThat(result.errorLines()).hasSize(1);
    assertThat(result.errorLines().get(0))
        .startsWith("rpx-agent: ")
        .contains(says)
        .doesNotContain("internal error", "Exception");
    assertThat(result.out()).isEmpty();
    assertThat(Agent.content(agent.temporary())).isEmpty();
  }

  private static String[] words(String line) {
    return line.split(" ");
  }
}
