package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes or models beside each other, and what a script makes of it. */
class ComparisonIT {
  private static final String IDENTITY = Agent.model("identity.pt");
  private static final String TIED = Agent.model("tied.pt");
  private static final String SLOW = Agent.model("slow.pt");

  @TempDir Path folder;
  private Agent agent;

  @BeforeEach
  void start() {
    agent = new Agent(folder);
  }

  private Agent.Result run(int exit, String words, String... more) {
    return run(1, exit, words, more);
  }

  /**
   * Runs of microseconds may all lie in one disturbance, and then say nothing: they are repeated.
   */
  private Agent.Result decided(int exit, String words, String... more) {
    return run(10, exit, words, more);
  }

  private Agent.Result run(int times, int exit, String words, String... more) {
    List<String> all = new ArrayList<>(List.of(words.split(" ")));
    all.addAll(List.of(more));
    Agent.Result result = agent.run(all.toArray(new String[0]));
    while (--times > 0 && result.exit() == 3) result = agent.run(all.toArray(new String[0]));
    assertThat(result.exit()).as(result.err() + result.out()).isEqualTo(exit);
    return result;
  }

  private JsonNode json(String file) throws IOException {
    return new ObjectMapper().readTree(folder.resolve(file).toFile());
  }

  @Test
  void aSweepHasAReportOrAReasonForEveryPoint() throws IOException {
    Agent.Result result =
        run(0, "measure " + IDENTITY + " --iterations 20 --sweep input=4,(2,3) --json s.json");

    JsonNode points = json("s.json").get("points");
    assertThat(points).hasSize(2);
    assertThat(points.get(0).get("settings").get("input").textValue()).isEqualTo("4");
    // A tuple for a tensor.
    assertThat(points.get(1).get("report").isNull()).isTrue();
    assertThat(points.get(1).get("failure").textValue()).contains("identity.pt");
    assertThat(result.out()).contains("input", "p50", "n/a");
  }

  @Test
  void aSweepMeasuresEachPoint() throws IOException {
    run(
        0,
        "measure "
            + SLOW
            + " --input 2x256 --iterations 6 --warmup 1 --sweep threads=1,2 --json s.json");

    for (JsonNode point : json("s.json").get("points")) {
      JsonNode tier3 = point.get("report").get("tier3");
      assertThat(tier3.get("samples").intValue()).isEqualTo(6);
      // The width is one pool's, whichever is faster; the other has one thread.
      JsonNode threads = tier3.get("threads");
      int widest = Math.max(threads.get("operators").intValue(), threads.get("blas").asInt(1));
      assertThat(String.valueOf(widest))
          .isEqualTo(point.get("settings").get("threads").textValue());
    }
  }

  @Test
  void repeatsSayHowProcessesDiffer() throws IOException {
    run(0, "measure " + IDENTITY + " --input 4 --iterations 300 --repeats 3 --json r.json");

    JsonNode tier3 = json("r.json").get("tier3");
    JsonNode processes = tier3.get("processes");
    assertThat(processes.get("count").intValue()).isEqualTo(3);
    JsonNode p50 = processes.get("percentiles").get(0);
    assertThat(p50.get("covers").textValue()).isEqualTo("processes");
    List<Double> each = new ArrayList<>();
    for (JsonNode process : processes.get("each")) each.add(process.get(0).get("ms").doubleValue());
    each.sort(null);
    // The report is of the process in the middle.
    assertThat(tier3.get("p50_ms").doubleValue()).isEqualTo(each.get(1));
    assertThat(p50.get("range").doubleValue())
        .isCloseTo(each.get(2) / each.get(0) - 1, org.assertj.core.data.Offset.offset(1e-9));

    run(0, "compare r.json r.json --json c.json");
    JsonNode figure = json("c.json").get("others").get(0).get("figures").get(0);
    assertThat(figure.get("change").doubleValue()).isZero();
    assertThat(figure.get("verdict").textValue()).isIn("SAME", "INCONCLUSIVE");
  }

  @Test
  void theSlowerOfTwoModelsIsFoundLive() throws IOException {
    String words =
        "compare " + IDENTITY + " " + TIED + " --input 4x16 --iterations 3000 --json c.json";
    Agent.Result result = decided(1, words, "--gate", "p50_change_percent<=3");

    JsonNode other = json("c.json").get("others").get(0);
    assertThat(other.get("figures").get(0).get("verdict").textValue()).isEqualTo("SLOWER");
    assertThat(json("c.json").get("gates").get(0).get("verdict").textValue()).isEqualTo("FAILED");
    assertThat(result.out()).contains("tied.pt is SLOWER than");
  }

  @Test
  void oneModelBesideItselfWithAnotherOption() throws IOException {
    run(
        0,
        "compare "
            + SLOW
            + " --input 2x256 --base threads=1 --threads 2 --iterations 6 --json c.json");
    assertThat(json("c.json").get("others").get(0).get("unlike").toString())
        .containsPattern("threads \\(operators x BLAS\\) (2|2x1|1x2|2x2) and 1(x1)?\"");
  }

  @Test
  void eachSideHasAProcessOfItsOwn() throws IOException {
    String words = "compare " + IDENTITY + " --input 4x16 --iterations 40 --json c.json";
    Agent.Result result = run(0, words, "--base", "libtorch=" + Agent.LIBTORCH);

    assertThat(json("c.json").get("method").textValue()).isEqualTo("processes");
    JsonNode other = json("c.json").get("others").get(0);
    assertThat(other.get("name").textValue())
        .endsWith("identity.pt (libtorch=" + Agent.LIBTORCH + ")");
    JsonNode figure = other.get("figures").get(0);
    assertThat(figure.get("samples").textValue()).isEqualTo("40 pairs of two processes");
    assertThat(figure.get("low").doubleValue())
        .isLessThanOrEqualTo(figure.get("high").doubleValue());
    // What both have is no difference.
    assertThat(other.get("unlike")).isEmpty();
    assertThat(other.get("notes").toString())
        .contains("LibTorch 2.", "covers this pair of processes");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void pairsOfFreshProcesses() throws IOException {
    String words = "compare " + IDENTITY + " --input 4x16 --iterations 10 --json c.json";
    run(0, words, "--base", "libtorch=" + Agent.LIBTORCH, "--base", "threads=1", "--repeats", "2");

    JsonNode other = json("c.json").get("others").get(0);
    assertThat(other.get("figures").get(0).get("samples").textValue())
        .isEqualTo("20 pairs of 2 pairs of processes");
    assertThat(other.get("notes").toString()).contains("covers how pairs of processes differ");
  }

  @Test
  void pairsOfFreshProcessesOfTwoModels() throws IOException {
    String words = "compare " + IDENTITY + " " + TIED + " --input 4x16 --iterations 200";
    decided(0, words + " --repeats 3 --json c.json --gate p50_ms<=1000");

    assertThat(json("c.json").get("method").textValue()).isEqualTo("processes");
    JsonNode p50 = json("c.json").get("others").get(0).get("figures").get(0);
    assertThat(p50.get("samples").textValue()).isEqualTo("600 pairs of 3 pairs of processes");
    assertThat(p50.get("second_low").doubleValue()).isLessThan(p50.get("second").doubleValue());
    assertThat(p50.get("second_high").doubleValue()).isGreaterThan(p50.get("second").doubleValue());
  }

  @Test
  void whatMeasureTakesCompareTakesToo() throws IOException {
    String words = "compare " + IDENTITY + " " + TIED + " --input 4x16 --warmup 3 --json c.json ";
    decided(0, words + "--rate 200hz --iterations 60 --percentile 90,99.9 --gate p50_ms<=1000");
    JsonNode other = json("c.json").get("others").get(0);
    assertThat(other.get("figures").findValuesAsText("figure"))
        .containsExactly("p50_ms", "p90_ms", "p99.9_ms");
    assertThat(other.get("figures").get(0).get("samples").textValue()).isEqualTo("60 pairs");
    assertThat(other.get("figures").get(1).get("samples").textValue()).isEqualTo("60 and 60 runs");
    assertThat(other.get("figures").get(2).get("second").isNull()).isTrue();
    assertThat(other.get("figures").get(2).get("reason").textValue()).contains("p99.9 needs");
    assertThat(other.get("notes").toString()).contains("paced at 200 Hz");
    assertThat(other.get("warnings").findValuesAsText("code")).doesNotContain("OVERLOADED");

    run(0, words + "--cold-cache --iterations 5 --percentile 50");
    assertThat(json("c.json").get("others").get(0).get("notes").toString())
        .contains("cold caches: ");
    // When it looks. In 60 s there would be some 100,000.
    Agent.Result result = run(0, words + "--precision-target 50% --duration 60s");
    assertThat(result.out()).containsPattern("\\((20|30|45|68|102|153|230) pairs\\)");
  }

  /** A forward of half a millisecond and more, released 10,000 times a second. */
  @Test
  void aRateAboveCapacityIsSaid() throws IOException {
    run(
        0,
        "compare "
            + SLOW
            + " --input 64x256 --base threads=1 --threads 1 --rate 10khz --iterations 20 --json c.json");
    JsonNode other = json("c.json").get("others").get(0);
    assertThat(other.get("warnings").findValuesAsText("code")).contains("OVERLOADED");
    assertThat(other.get("warnings").toString()).contains("does not keep up with 10000 Hz");
  }

  /** One loop a core. Neither side of a pair of processes is a load of the other. */
  @Test
  void aLoadBesideIsSaid() throws IOException {
    List<Process> loads = new ArrayList<>();
    try {
      for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++)
        loads.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
      String words = "compare " + IDENTITY + " " + TIED + " --input 4x16 --json c.json ";
      for (String how : List.of("--duration 1s", "--duration 1s --repeats 2")) {
        Agent.Result result = run(0, words + how);
        JsonNode warnings = json("c.json").get("others").get(0).get("warnings");
        assertThat(warnings.findValuesAsText("code")).contains("OVERSUBSCRIBED");
        assertThat(result.out()).contains("warning OVERSUBSCRIBED: ", "cores busy");
      }
    } finally {
      loads.forEach(Process::destroyForcibly);
    }
  }

  @Test
  void aSideThatFailsIsALine() {
    Agent.Result result =
        run(4, "compare " + SLOW + " " + IDENTITY + " --input 3 --base libtorch=" + Agent.LIBTORCH);
    assertThat(result.errorLines()).hasSize(1);
    assertThat(result.err()).contains("the first side: ").contains("slow.pt: ", "mat1 and mat2");
  }

  @Test
  void otherMachinesAreRefused() throws IOException {
    run(0, "measure " + IDENTITY + " --input 4 --iterations 300 --json a.json");
    String text = Files.readString(folder.resolve("a.json"));
    String cpu = json("a.json").get("system").get("cpu_name").toString();
    Files.writeString(folder.resolve("b.json"), text.replace(cpu, "\"Another CPU\""));

    assertThat(run(2, "compare a.json b.json --warmup 3").err()).contains("--warmup is for models");
    Agent.Result refused = run(2, "compare a.json b.json");
    assertThat(refused.err()).contains("cpu_name").contains("Another CPU").contains("--force");
    // One process of each: no difference is claimed.
    Agent.Result forced = run(0, "compare a.json b.json --force");
    assertThat(forced.out()).contains("INCONCLUSIVE").contains("differs: cpu_name");
  }

  @Test
  void gatesDecideTheExitCode() throws IOException {
    String measure = "measure " + IDENTITY + " --input 4 --iterations 3000";
    decided(0, measure, "--gate", "p50_ms<=1000", "--gate", "params<=0");
    decided(1, measure, "--gate", "p50_ms>=1000", "--junit", "j.xml", "--json", "j.json");
    assertThat(Files.readString(folder.resolve("j.xml"))).contains("failures=\"1\"");
    assertThat(json("j.json").get("gates").get(0).get("verdict").textValue()).isEqualTo("FAILED");
    // Twenty samples say nothing of the 99th percentile.
    run(
        3,
        "measure " + IDENTITY + " --input 4 --iterations 20 --json k.json",
        "--gate",
        "p99_ms<=1000");
    assertThat(json("k.json").get("tier3").get("p99_ms").isNull()).isTrue();
    Agent.Result against = run(0, measure, "--gate", "params<=+0% vs j.json");
    assertThat(against.err()).isEmpty();
    // Of the last report; the other figures of it are there too.
    decided(0, "compare j.json j.json --gate p50_ms<=1000 --gate params<=0");
    decided(0, measure, "--percentile", "99.5", "--gate", "p99.5_ms<=1000");
  }

  @Test
  void wrongWordsAreOneLine() {
    for (String words :
        List.of(
            "measure x.pt --sweep color=red",
            "measure x.pt --gate p50",
            "measure x.pt --repeats 0",
            "measure x.pt --percentile 100",
            "measure x.pt --precision-target 1",
            "compare x.pt",
            "compare x.pt --base color=red",
            "compare x.pt --base libtorch=no/such/folder",
            "compare x.pt y.pt --repeats 0",
            "compare x.pt y.pt --rate 30hz --cold-cache",
            "measure x.pt --junit no/such/folder.xml")) {
      Agent.Result result = run(2, words);
      assertThat(result.errorLines()).as(words).hasSize(1);
    }
  }
}
