package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.arrays.NpyFiles;

/**
 * Sets of inputs that take turns. loop.pt runs a layer of 4 to 4, 8 FLOPs an element of its result,
 * as often as its second input says.
 */
class InputSetsIT {
  private static final String LOOP = Agent.model("loop.pt");

  @TempDir Path folder;
  private Agent agent;

  @BeforeEach
  void start() throws IOException {
    agent = new Agent(folder);
    steps("few", 1);
    steps("many", 20_000);
    rows("two", 2);
    rows("three", 3);
  }

  private void steps(String name, long count) throws IOException {
    byte[] bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(count).array();
    write(name, "<i8", "()", bytes);
  }

  private void rows(String name, int rows) throws IOException {
    write(name, "<f4", "(" + rows + ", 4)", new byte[16 * rows]);
  }

  private void write(String name, String descr, String shape, byte[] data) throws IOException {
    byte[] header = NpyFiles.npy(1, NpyFiles.dict(descr, false, shape));
    ByteBuffer all = ByteBuffer.allocate(header.length + data.length).put(header).put(data);
    Files.write(folder.resolve(name + ".npy"), all.array());
  }

  private Agent.Result run(int exit, String words) {
    Agent.Result result = agent.run(words.split(" "));
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    return result;
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(folder.resolve("r.json").toFile());
  }

  @Test
  void everySecondRunIsOfTheSecondSet() throws IOException {
    run(
        0,
        "measure "
            + LOOP
            + " --input-file two.npy --input-file few.npy,many.npy --warmup 3 --iterations 9"
            + " --threads 1 --json r.json");

    JsonNode report = json();
    assertThat(report.path("tier3").path("input_sets").asInt()).isEqualTo(2);
    assertThat(report.path("tier1").path("flops").asLong()).isEqualTo(64);
    assertThat(report.path("inputs").findValuesAsText("values"))
        .containsExactly(
            "file two.npy", "2 sets in turns, the first counted: file few.npy; file many.npy");
    List<Double> few = new ArrayList<>();
    List<Double> many = new ArrayList<>();
    int i = 0;
    for (JsonNode ms : report.path("tier3").path("samples_ms"))
      (i++ % 2 == 0 ? few : many).add(ms.doubleValue());
    few.sort(null);
    many.sort(null);
    // One step beside 20,000: whatever else the machine does, the medians are far apart.
    assertThat(few.get(few.size() / 2)).isLessThan(many.get(many.size() / 2) / 10);
    assertThat(report.path("warnings").findValuesAsText("code")).doesNotContain("MIXED_INPUTS");
  }

  @Test
  void otherShapesAreFlagged() throws IOException {
    run(
        0,
        "measure "
            + LOOP
            + " --input-file three.npy,two.npy --input steps:scalar:int64=1 --iterations 4 --warmup"
            + " 1 --threads 1 --json r.json");

    assertThat(json().path("warnings").findValuesAsText("code")).contains("MIXED_INPUTS");
    assertThat(json().path("tier1").path("flops").asLong()).isEqualTo(96);
  }

  @Test
  void aRunIsOfTheFirst() {
    Agent.Result result =
        run(
            0,
            "run "
                + LOOP
                + " --input-file three.npy,two.npy --input steps:scalar:int64=1 --output o.npz");
    assertThat(result.out()).contains("[3, 4]");
  }

  @Test
  void aSetThatDoesNotFitIsNamed() throws IOException {
    write("wide", "<f4", "(2, 5)", new byte[40]);
    Agent.Result result =
        run(
            4,
            "measure "
                + LOOP
                + " --input-file two.npy,wide.npy --input steps:scalar:int64=1 --threads 1");
    assertThat(result.errorLines()).hasSize(1);
    assertThat(result.err()).contains("set 2 of 2 (--input-file)");
  }

  @Test
  void twoModelsTakeTheSameTurns() throws IOException {
    run(
        0,
        "compare "
            + LOOP
            + " "
            + LOOP
            + " --input-file two.npy --input-file few.npy,many.npy --iterations 10 --threads 1"
            + " --json r.json");
    // Pairs of different sets would differ by a factor of thousands.
    double change = json().path("others").get(0).path("figures").get(0).path("change").asDouble();
    assertThat(change).isBetween(-0.8, 4.0);
  }
}
