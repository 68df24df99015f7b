package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The packaged jar, as a user starts it. bn_train.pt takes 169,344 FLOPs and 19,648 bytes. */
class CliIT {
  private static final String MODEL = Agent.model("bn_train.pt");
  private static final String[] INPUT = {"--input", "2x3x16x16"};
  private static final double FLOPS = 169_344;
  // (240 parameters + 2 x 3 x 16 x 16 in + 2 x 8 x 14 x 14 out) x 4
  private static final double BYTES = 19_648;

  @TempDir Path folder;
  private Agent agent;

  @BeforeEach
  void start() {
    agent = new Agent(folder);
  }

  @Test
  void measureWritesTheReportToAFileAndTheTableToStdout() throws IOException {
    Agent.Result result =
        run("measure", "--iterations", "20", "--warmup", "2", "--json", "report.json");

    JsonNode report = json(Files.readString(folder.resolve("report.json")));
    keys(report, Documented.keys("### Top level"));
    keys(report.path("model"), Documented.keys("### `model`"));
    keys(report.path("inputs").path(0), Documented.keys("### `inputs[]`"));
    keys(report.path("row"), Documented.row("a100_80gb", "rtx_4090", "jetson_orin_64gb"));
    keys(report.path("tier1"), Documented.keys("### `tier1`"));
    for (String object : List.of("traffic", "activations"))
      keys(report.path("tier1").path(object), Documented.keysIn("### `tier1`", object));
    assertThat(report.path("tier2")).hasSize(3);
    for (JsonNode bound : report.path("tier2")) keys(bound, Documented.keys("### `tier2[]`"));
    keys(report.path("tier3"), Documented.keys("### `tier3`"));
    for (String object : List.of("peak", "threads"))
      keys(report.path("tier3").path(object), Documented.keysIn("### `tier3`", object));
    List<String> card = Documented.keys("### `system`").subList(0, 13);
    keys(report.path("row").path("system_card"), card);
    assertThat(names(report.path("system")).subList(0, 13)).isEqualTo(card);
    for (JsonNode warning : report.path("warnings"))
      keys(warning, Documented.keys("### `warnings[]`"));

    assertThat(report.path("schema").asText()).isEqualTo("rpx-agent/1");
    assertThat(report.path("model").path("path").asText()).isEqualTo(MODEL);
    assertThat(report.path("model").path("bytes").asLong()).isEqualTo(Files.size(Path.of(MODEL)));
    assertThat(report.path("tier1").path("flops").asLong()).isEqualTo((long) FLOPS);
    assertThat(report.path("tier1").path("traffic").path("compulsory_bytes").asLong())
        .isEqualTo((long) BYTES);
    assertThat(report.path("tier3").path("samples").asInt()).isEqualTo(20);
    assertThat(report.path("tier3").path("samples_ms")).hasSize(20);
    assertThat(report.path("tier3").path("starts_ms")).hasSize(20);
    assertThat(report.path("tier3").path("batch").asInt()).isEqualTo(2);
    assertThat(result.out()).contains("bn_train.pt", "169.3 kFLOP", "p50", "TOO_FEW_SAMPLES");
  }

  @Test
  void aDashIsStdout() throws IOException {
    JsonNode report = json(run("count", "--json", "-").out());

    keys(report, Documented.keys("### Top level"));
    assertThat(report.path("tier3").isNull()).isTrue();
    assertThat(report.path("row").path("latency_p50_ms").isNull()).isTrue();
    assertThat(Agent.content(folder)).doesNotContain(folder.resolve("-"));
  }

  @Test
  void formats() throws IOException {
    JsonNode report = json(run("count", "--format", "json").out());
    JsonNode row = json(run("count", "--format", "rpx-row").out());
    JsonNode cost = json(run("count", "--format", "rpx-result").out());
    String markdown = run("count", "--format", "markdown").out();

    keys(row, Documented.row("a100_80gb", "rtx_4090", "jetson_orin_64gb"));
    assertThat(report.path("row")).isEqualTo(row);
    keys(cost, Documented.keys("## The cost block"));
    assertThat(names(cost.path("roofline")))
        .containsExactly("A100-80GB", "RTX 4090", "Jetson Orin 64GB");
    assertThat(markdown).startsWith("| Model | ").contains("| 169.3 kFLOP |");
  }

  @Test
  void theRowIsRounded() throws IOException {
    String[] words = {"count", MODEL, "--input", "64x3x112x112", "--format", "rpx-row"};

    JsonNode row = json(ok(agent.run(words)).out());

    // 2 x 64 x 8 x 110 x 110 x 27 = 334,540,800
    assertThat(row.path("flops_g").asDouble()).isEqualTo(0.335);
    // Half of the rounded figure.
    assertThat(row.path("macs_g").asDouble()).isEqualTo(0.168);
    // (240 + 64 x 3 x 112 x 112 + 64 x 8 x 110 x 110) x 4 = 34,415,552
    assertThat(row.path("memory_traffic_gb").asDouble()).isEqualTo(0.0344);
    // 0.335 / 0.0344
    assertThat(row.path("arithmetic_intensity").asDouble()).isEqualTo(9.74);
    assertThat(row.path("params_m").asDouble()).isEqualTo(0);
  }

  @Test
  void csvIsTheRowFlattened() {
    String csv = run("count", "--format", "csv", "--gpu", "L4").out();

    assertThat(csv).endsWith("\r\n");
    String[] lines = csv.split("\r\n");
    assertThat(lines).hasSize(2);
    List<String> expected = new ArrayList<>(Documented.row("l4"));
    expected.remove("system_card");
    for (String key : Documented.keys("### `system`").subList(0, 13))
      expected.add("system_card." + key);
    List<String> header = fields(lines[0]);
    List<String> values = fields(lines[1]);
    assertThat(header).isEqualTo(expected);
    assertThat(values).hasSameSizeAs(header);
    assertThat(values.get(header.indexOf("type"))).isEqualTo("local");
    assertThat(values.get(header.indexOf("latency_p50_ms"))).isEmpty();
    assertThat(values.get(header.indexOf("system_card.input_resolution"))).isEqualTo("16x16");
  }

  @Test
  void gpusAreTakenByName() throws IOException {
    JsonNode report = json(run("count", "--json", "-", "--gpu", "h100-sxm", "--gpu", "T4").out());

    assertThat(report.path("tier2")).hasSize(2);
    bound(report.path("tier2").path(0), "H100 SXM", FLOPS / 67e12 * 1e3, BYTES / 3350e9 * 1e3);
    bound(report.path("tier2").path(1), "T4", FLOPS / 8.1e12 * 1e3, BYTES / 320e9 * 1e3);
    keys(report.path("row"), Documented.row("h100_sxm", "t4"));
  }

  @Test
  void gpusOfAFile() throws IOException {
    Files.writeString(
        folder.resolve("own.csv"),
        "name,fp32,tf32,fp16,bf16,int8,mem_gbps,mem_gb,tdp_w,basis\nMine,2,,,,,100,,,guess\n");

    JsonNode report = json(run("count", "--json", "-", "--gpu-spec", "own.csv").out());

    assertThat(report.path("tier2")).hasSize(1);
    bound(report.path("tier2").path(0), "Mine", FLOPS / 2e12 * 1e3, BYTES / 100e9 * 1e3);
  }

  @Test
  void theTableOfGpusCanBeReadBack() throws IOException {
    String csv = ok(agent.run("gpus", "--format", "csv")).out();
    Files.writeString(folder.resolve("all.csv"), csv);
    List<String> names =
        csv.lines().skip(1).map(line -> line.substring(0, line.indexOf(','))).toList();

    JsonNode report = json(run("count", "--json", "-", "--gpu-spec", "all.csv").out());
    String table = ok(agent.run("gpus")).out();

    assertThat(names).hasSizeGreaterThan(10).contains("A100-80GB", "Jetson Orin 64GB");
    assertThat(report.path("tier2").findValuesAsText("gpu")).isEqualTo(names);
    assertThat(table.lines().skip(1).map(l -> l.substring(0, 22).strip())).isEqualTo(names);
  }

  @Test
  void rooflineReadsWhatMeasureWrote() throws IOException {
    run("measure", "--iterations", "5", "--json", "report.json", "--quiet");
    JsonNode before = json(Files.readString(folder.resolve("report.json")));

    Agent.Result result = ok(agent.run("roofline", "report.json", "--gpu", "L4", "--json", "-"));

    JsonNode after = json(result.out());
    assertThat(after.path("tier2")).hasSize(1);
    bound(after.path("tier2").path(0), "L4", FLOPS / 30.3e12 * 1e3, BYTES / 300e9 * 1e3);
    keys(after.path("row"), Documented.row("l4"));
    for (String part : List.of("model", "inputs", "tier1", "tier3", "system", "warnings"))
      assertThat(after.path(part)).as(part).isEqualTo(before.path(part));
    assertThat(json(Files.readString(folder.resolve("report.json")))).isEqualTo(before);
  }

  @Test
  void system() throws IOException {
    JsonNode card = json(ok(agent.run("system", "--format", "json")).out());
    String table = ok(agent.run("system")).out();

    List<String> first = Documented.keys("### `system`").subList(0, 13);
    assertThat(names(card).subList(0, 13)).isEqualTo(first);
    assertThat(card.path("ram_gb").asDouble()).isPositive();
    assertThat(card.path("pytorch_version").asText()).matches("\\d+\\.\\d+.*");
    assertThat(table.lines().limit(13).map(l -> l.split(" ")[0])).isEqualTo(first);
  }

  @Test
  void systemForMlperf() throws IOException {
    JsonNode fields = json(ok(agent.run("system", "--format", "mlperf")).out());

    assertThat(fields.path("number_of_nodes").asText()).isEqualTo("1");
    assertThat(fields.path("framework").asText()).matches("LibTorch \\d+\\.\\d+.*");
    assertThat(fields.path("division").asText("absent")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"measure", "count"})
  void anApiModelHasARow(String command) throws IOException {
    JsonNode row = json(ok(agent.run(command, "api:gpt-4o", "--format", "rpx-row")).out());
    JsonNode report = json(ok(agent.run(command, "api:gpt-4o", "--json", "-")).out());

    assertThat(row.path("type").asText()).isEqualTo("api");
    for (String key : List.of("params_m", "flops_g", "macs_g"))
      assertThat(row.path(key).asText()).isEqualTo("N/A (API)");
    assertThat(report.path("tier1").isNull()).isTrue();
    assertThat(report.path("tier3").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "measure, --input --inputs --input-file --seed --device --precision --batch --threads --gpu --gpu-spec --format"
        + " --json --quiet --warmup --iterations --duration",
    "count, --input --inputs --input-file --seed --device --precision --batch --threads --gpu --gpu-spec --format"
        + " --json --quiet",
    "run, --input --inputs --input-file --seed --device --precision --batch --threads --output --save-inputs",
    "roofline, --gpu --gpu-spec --format --json --quiet",
    "system, --format",
    "gpus, --format"
  })
  void helpOfEachCommand(String command, String options) {
    String help = ok(agent.run(command, "--help")).out();

    assertThat(help).startsWith("Usage: rpx-agent " + command);
    for (String option : options.split(" ")) assertThat(help).contains(option);
  }

  @Test
  void helpAndVersion() {
    String help = ok(agent.run("--help")).out();

    assertThat(help)
        .contains("measure", "count", "run", "roofline", "system", "gpus", "Exit codes:");
    assertThat(ok(agent.run()).out()).isEqualTo(help);
    assertThat(ok(agent.run("--version")).out()).matches("rpx-agent \\d+\\.\\d+\\.\\d+.*\\s*");
  }

  @Test
  void castsAndBatches() throws IOException {
    JsonNode report =
        json(run("count", "--precision", "fp16", "--batch", "6", "--json", "-").out());

    assertThat(report.path("tier1").path("flops").asLong()).isEqualTo(3 * (long) FLOPS);
    assertThat(report.path("tier1").path("precision").asText()).isEqualTo("fp16");
    assertThat(report.path("inputs").path(0).path("dtype").asText()).isEqualTo("float16");
    assertThat(report.path("inputs").path(0).path("shape").path(0).asInt()).isEqualTo(6);
    assertThat(report.path("tier2").findValuesAsText("precision")).containsOnly("fp16");
  }

  @Test
  void aDurationEndsTheMeasurement() throws IOException {
    JsonNode tier3 = json(run("measure", "--duration", "50ms", "--json", "-").out()).path("tier3");

    int last = tier3.path("samples").asInt() - 1;
    assertThat(tier3.path("starts_ms").path(last - 1).asDouble()).isLessThan(50);
  }

  /** The command on the model: ends well, and with nothing but text, as every pipe gets it. */
  private Agent.Result run(String command, String... options) {
    List<String> words = new ArrayList<>(List.of(command, MODEL));
    words.addAll(Arrays.asList(INPUT));
    words.addAll(Arrays.asList(options));
    return ok(agent.run(words.toArray(new String[0])));
  }

  private Agent.Result ok(Agent.Result result) {
    assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.OK);
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isNotBlank().doesNotContain("\u001b");
    assertThat(result.out().replace("\r\n", "")).doesNotContain("\r");
    assertThat(Agent.content(agent.temporary())).isEmpty();
    return result;
  }

  private static void bound(JsonNode bound, String gpu, double computeMs, double memoryMs) {
    assertThat(bound.path("gpu").asText()).isEqualTo(gpu);
    assertThat(bound.path("compute_ms").asDouble()).isEqualTo(computeMs, within(1e-12));
    assertThat(bound.path("memory_ms").asDouble()).isEqualTo(memoryMs, within(1e-12));
    assertThat(bound.path("latency_ms").asDouble())
        .isEqualTo(Math.max(computeMs, memoryMs), within(1e-12));
    assertThat(bound.path("bottleneck").asText())
        .isEqualTo(computeMs >= memoryMs ? "compute" : "memory");
  }

  private static void keys(JsonNode object, List<String> expected) {
    assertThat(names(object)).isEqualTo(expected);
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper()
        .enable(com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .readTree(text);
  }

  /** A line of RFC 4180 without its quotes: commas count outside of them only. */
  private static List<String> fields(String line) {
    return Arrays.stream(line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1))
        .map(f -> f.startsWith("\"") ? f.substring(1, f.length() - 1).replace("\"\"", "\"") : f)
        .toList();
  }
}
