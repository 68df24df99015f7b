package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user gets wrong costs one line that says what to do, and leaves nothing behind. */
class BadInputIT {
  private static final Pattern ADVICE = Pattern.compile("; try (--input .*)$");

  @TempDir Path folder;
  private Agent agent;
  private Path reports;

  @BeforeEach
  void start() throws IOException {
    agent = new Agent(folder);
    reports = Files.createDirectory(folder.resolve("reports"));
  }

  @Test
  void files() throws IOException {
    byte[] whole = Files.readAllBytes(Agent.MODELS.resolve("bn_train.pt"));
    Files.createFile(folder.resolve("empty.pt"));
    Files.write(folder.resolve("cut.pt"), Arrays.copyOf(whole, whole.length / 2));
    Files.writeString(folder.resolve("text.pt"), "not a model");

    wrong(4, "count none.pt", "none.pt", "no such file");
    wrong(4, "count reports", "reports", "is a folder", "name the model file");
    wrong(4, "count empty.pt", "empty.pt", "is empty", "export the model again");
    wrong(4, "count cut.pt", "cut.pt", "is damaged", "copy or export it again");
    wrong(4, "count text.pt", "text.pt", "not a zip archive", "torch.jit.script");
    wrong(4, "measure none.pt", "none.pt", "no such file");
  }

  @Test
  void controlCharactersOfANameStayOutOfTheTerminal() {
    wrong(4, "count no\u001b[31m\nsuch.pt", "no?[31m such.pt", "no such file");
  }

  @Test
  void otherKindsOfModel() {
    wrong(4, "count " + Agent.model("state_dict.pt"), "state_dict.pt", "torch.jit.script");
    wrong(2, "count demo:resnet19", "resnet19", "demo:resnet18");
    wrong(2, "count demo:", "demo:", "for example demo:resnet18");
  }

  @ParameterizedTest
  @CsvSource({
    "bn_train.pt, --input 1x3, 'forward(input: Tensor)'",
    "bn_train.pt, --input 1x4x16x16, 'forward(input: Tensor)'",
    "bn_train.pt, --input 1x3x16x16:int64, 'forward(input: Tensor)'",
    "int64_tokens.pt, --input 2x6, 'forward(tokens: Tensor)'",
    "lstm.pt, --input 2x5x13, 'forward(x: Tensor)'",
    "tied.pt, --input 4x17, 'forward(x: Tensor)'",
    "two_inputs.pt, --input 2x8, 'forward(a: Tensor, b: Tensor)'",
    "two_inputs.pt, '', 'forward(a: Tensor, b: Tensor)'"
  })
  void inputsThatDoNotFitComeWithOneThatDoes(String model, String input, String signature) {
    String words = "count " + Agent.model(model) + " " + input;

    String line = wrong(4, words.strip(), model, signature);

    Matcher advice = ADVICE.matcher(line);
    assertThat(advice.find()).as(line).isTrue();
    Agent.Result second = run("count " + Agent.model(model) + " " + advice.group(1));
    assertThat(second.exit()).as("%s%nthen%n%s", line, second.err()).isZero();
  }

  @Test
  void theDefaultInputIsNamedWhereItDoesNotFit() {
    wrong(4, "count " + Agent.model("tied.pt"), "the default input", "1x3x480x640", "try --input");
  }

  @Test
  void inputsByName() {
    String model = "count " + Agent.model("two_inputs.pt");
    wrong(4, model + " --input a:1x8 --input c:1x4", "no input called \"c\"", "a: Tensor");
    wrong(4, model + " --input a:1x8 --input a:1x8", "a is given twice");
  }

  @Test
  void moreMemoryThanThereIs() {
    String model = "count " + Agent.model("identity.pt");
    wrong(4, model + " --input 1000000x1000000x1000", "input", "memory", "smaller");
  }

  @ParameterizedTest
  @CsvSource({
    "count bn_train.pt --device tpu, 4, no device, cpu",
    "count bn_train.pt --device cuda, 4, no CUDA, --device cpu",
    "count bn_train.pt --gpu H999, 2, H999, rpx-agent gpus",
    "count bn_train.pt --precision int4, 2, int4, fp32",
    "count bn_train.pt --format xml, 2, --format, markdown",
    "count bn_train.pt --shape 1x3, 2, --shape, --help",
    "count bn_train.pt --input 1x3xmany, 2, 1x3xmany, 1x3x480x640",
    "count bn_train.pt --input 1x3x4:float3, 2, float3, bfloat16",
    "count bn_train.pt --input (1x3, 2, (1x3, closing )",
    "count bn_train.pt --batch 0, 2, batch, 1 or more",
    "count bn_train.pt --batch x, 2, --batch, --help",
    "count bn_train.pt --threads 0, 2, threads, 1 or more",
    "count, 2, MODEL, --help",
    "measure bn_train.pt --iterations 0, 2, iterations, 1 or more",
    "measure bn_train.pt --warmup -1, 2, warmup, 0 or more",
    "measure bn_train.pt --duration 3, 2, --duration, 200ms or 3s",
    "measure bn_train.pt --duration 0s, 2, --duration, longer than 0",
    "count bn_train.pt --iterations 5, 2, --iterations, --help",
    "roofline, 2, FILE.json, --help",
    "gpus --format xml, 2, --format, csv",
    "weigh, 2, weigh, --help"
  })
  void words(String words, int exit, String names, String remedy) {
    wrong(exit, words.replace("bn_train.pt", Agent.model("bn_train.pt")), names, remedy);
  }

  @Test
  void gpuSpecs() throws IOException {
    Files.writeString(
        folder.resolve("own.csv"),
        "name,fp32,tf32,fp16,bf16,int8,mem_gbps,mem_gb,tdp_w,basis\nMine,-2,,,,,100,,,guess\n");
    String model = "count " + Agent.model("bn_train.pt");

    wrong(2, model + " --gpu-spec own.csv", "own.csv, line 2", "fp32", "'-2'", "above 0");
    wrong(2, model + " --gpu-spec none.csv", "none.csv (--gpu-spec)", "no such file");
    wrong(2, model + " --gpu-spec reports", "reports (--gpu-spec)", "cannot be read");
    wrong(2, model + " --gpu-spec " + Agent.model("bn_train.pt"), "bn_train.pt", "--gpu-spec");
  }

  @Test
  void reportsToRead() throws IOException {
    Files.writeString(folder.resolve("other.json"), "{\"flops\": 1}");
    Files.writeString(folder.resolve("text.json"), "flops: 1");

    wrong(2, "roofline none.json", "none.json", "no such file");
    wrong(2, "roofline reports", "reports", "cannot be read");
    wrong(2, "roofline other.json", "other.json: not an rpx-agent report", "schema");
    wrong(2, "roofline text.json", "text.json: not an rpx-agent report");
    wrong(2, "roofline " + Agent.model("bn_train.pt"), "bn_train.pt: not an rpx-agent report");
  }

  @Test
  void anApiReportHasNoRoofline() {
    Agent.Result result = run("count api:gpt-4o --json reports/api.json");
    assertThat(result.exit()).as(result.err()).isZero();

    String line = oneLine(run("roofline reports/api.json"), 2);

    assertThat(line).contains("API model");
  }

  @Test
  void foldersToWriteTo() {
    String model = "count " + Agent.model("bn_train.pt");
    String remedy = "name a file in a folder that exists";

    assertThat(oneLine(run(model + " --json none/r.json"), 2))
        .contains("none/r.json (--json)", remedy);
    assertThat(oneLine(run(model + " --json reports"), 2)).contains("it is a folder", remedy);
    assertThat(folder.resolve("none")).doesNotExist();
    assertThat(Agent.content(reports)).isEmpty();
  }

  @Test
  void aFullDisk() throws Exception {
    // Room for the folder and an empty file, not for a report.
    assumeTrue(
        shell("mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", reports.toString()),
        "this user may not mount a small file system");
    try {
      String words = "measure " + Agent.model("bn_train.pt") + " --input 1x3x16x16";
      String line = oneLine(run(words + " --iterations 2000 --json reports/r.json"), 2);

      assertThat(line).contains("reports/r.json (--json) cannot be written", "No space left");
      assertThat(Agent.content(reports)).isEmpty();
      assertThat(Agent.content(agent.temporary())).isEmpty();
    } finally {
      assertThat(shell("umount", reports.toString())).isTrue();
    }
  }

  @Test
  void aFolderThatMayNotBeWrittenTo() throws IOException {
    Files.setPosixFilePermissions(reports, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assumeTrue(!Files.isWritable(reports), "this user may write to every folder, as root may");
      String words = "count " + Agent.model("bn_train.pt") + " --json reports/r.json";

      assertThat(oneLine(run(words), 2))
          .contains("reports/r.json (--json) cannot be written", "permission denied");
    } finally {
      Files.setPosixFilePermissions(reports, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    assertThat(Agent.content(reports)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "count none.pt, 4, NativeException",
    "count bn_train.pt --gpu H999, 2, IllegalArgumentException",
    "count bn_train.pt --input 1x3, 4, NativeException"
  })
  void aTraceIsShownWhereItIsAskedFor(String words, int exit, String type) {
    String all = words.replace("bn_train.pt", Agent.model("bn_train.pt"));

    Agent.Result result = run(all + " --debug");

    assertThat(result.exit()).isEqualTo(exit);
    assertThat(result.errorLines().get(0)).startsWith("rpx-agent: ");
    assertThat(result.err()).contains(type, "\tat org.rpx.agent.");
    oneLine(run(all), exit);
  }

  /** With a report asked for, which there must not be afterwards. */
  private String wrong(int exit, String words, String... says) {
    boolean writes = words.startsWith("count ") || words.startsWith("measure ");
    String line = oneLine(run(writes ? words + " --json reports/r.json" : words), exit);
    assertThat(line).contains(says);
    assertThat(Agent.content(reports)).isEmpty();
    return line;
  }

  private String oneLine(Agent.Result result, int exit) {
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    assertThat(result.errorLines()).hasSize(1);
    String line = result.errorLines().get(0);
    assertThat(line).startsWith("rpx-agent: ").doesNotContain("Exception", "internal error");
    assertThat(line.chars()).noneMatch(Character::isISOControl);
    assertThat(result.out()).isEmpty();
    assertThat(Agent.content(agent.temporary())).isEmpty();
    return line;
  }

  private Agent.Result run(String words) {
    return agent.run(words.split(" "));
  }

  private static boolean shell(String... words) throws InterruptedException {
    try {
      return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
