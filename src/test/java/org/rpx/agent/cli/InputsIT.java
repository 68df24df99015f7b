package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Values of inputs from the command line and from files. loop.pt runs a layer of 4 to 4 on 2 rows,
 * 64 FLOPs, as often as its second input says.
 */
class InputsIT {
  private static final String LOOP = Agent.model("loop.pt");

  @TempDir Path folder;
  private Agent agent;

  @BeforeEach
  void start() throws IOException {
    agent = new Agent(folder);
    Files.write(folder.resolve("steps.npy"), npy("<i8", "()", 7));
    Files.write(folder.resolve("x.npy"), npy("<f4", "(2, 4)", 0, 0, 0, 0));
    Files.writeString(
        folder.resolve("in.json"), "{\"steps\": {\"npy\": \"steps.npy\"}, \"x\": \"2x4=0.5\"}");
    Files.writeString(folder.resolve("array.json"), "[\"2x4\", \"scalar:int64=9\"]");
  }

  @ParameterizedTest
  @CsvSource({
    "--input 2x4 --input scalar:int64, 0, seeded uniform, zeros",
    "--input 2x4 --input scalar:int64=5, 5, seeded uniform, fill 5",
    "--input steps:scalar:int64=3 --input x:2x4=1, 3, fill 1.0, fill 3",
    "--input 2x4:float32=-inf --input scalar=2..3, 2, fill -Infinity, range 2..3",
    "--input 2x4 --input-file steps.npy, 7, seeded uniform, file steps.npy",
    "--input-file steps=steps.npy --input 2x4, 7, seeded uniform, file steps.npy",
    "--input-file x.npy --input-file ./steps.npy, 7, file x.npy, file ./steps.npy",
    "--input-file x.npy --input steps:scalar:int64=4, 4, file x.npy, fill 4",
    "--inputs in.json, 7, fill 0.5, file steps.npy",
    "--inputs array.json, 9, seeded uniform, fill 9"
  })
  void valuesDecideWhatRuns(String words, long times, String first, String second)
      throws IOException {
    JsonNode report = report(words);

    assertThat(report.path("tier1").path("flops").asLong()).isEqualTo(64 * times);
    assertThat(report.path("inputs").findValuesAsText("name")).containsExactly("x", "steps");
    assertThat(report.path("inputs").findValuesAsText("values")).containsExactly(first, second);
  }

  @Test
  void aPersonSeesThem() {
    Agent.Result result = run("--input-file x.npy --input steps:scalar:int64=5");

    assertThat(result.out())
        .contains("input x: float32 [2, 4], file x.npy", "input steps: int64 [], fill 5");
  }

  @Test
  void aReportKeepsThem() throws IOException {
    run("--input 2x4=0.5 --input scalar:int64=5 --json report.json");

    Agent.Result again = agent.run("roofline", "report.json", "--gpu", "L4", "--json", "-");

    JsonNode inputs = new ObjectMapper().readTree(again.out()).path("inputs");
    assertThat(inputs.findValuesAsText("values")).containsExactly("fill 0.5", "fill 5");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--input 2x4 --input scalar:int64=1.5; scalar:int64=1.5; integer",
        "--input 2x4=x --input scalar:int64; \"2x4=x\"; number",
        "--input 2x4 --input-file none.npy; none.npy: no such file; numpy.save",
        "--input 2x4 --input-file steps=in.json; in.json: is no .npy file; numpy.save",
        "--input 2x4 --input-file x.npz; x.npz: is damaged; numpy.savez",
        "--input 2x4 --input-file cut.npy; cut.npy: has 7 bytes of data; wants 8",
        "--input 2x4 --input-file objects.npy; objects.npy: it holds Python objects; numbers",
        "--inputs none.json; none.json: cannot be read: no such file; JSON file of inputs",
        "--inputs x.npy; x.npy: line 1; JSON",
        "--inputs twice.json; twice.json: line 1; Duplicate field 'x'",
        "--inputs beside.json; beside.json: /x/npy: none.npy: no such file; numpy.save",
        "--input-file x.npy --input scalar:int64 --batch 3; batch 3 does not fit x.npy; leave the batch"
      })
  void mistakesAreOneLine(String words, String says, String remedy) throws IOException {
    byte[] steps = Files.readAllBytes(folder.resolve("steps.npy"));
    Files.write(folder.resolve("cut.npy"), java.util.Arrays.copyOf(steps, steps.length - 1));
    Files.write(folder.resolve("objects.npy"), npy("|O", "()", 7));
    Files.writeString(folder.resolve("x.npz"), "PK\u0003\u0004 and what follows in a zip");
    Files.writeString(folder.resolve("twice.json"), "{\"x\": \"2x4\", \"x\": \"2x4\"}");
    Files.writeString(folder.resolve("beside.json"), "{\"x\": {\"npy\": \"none.npy\"}}");

    Agent.Result result = agent.run(words(words));

    assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.USAGE);
    assertThat(result.errorLines()).hasSize(1);
    assertThat(result.err()).startsWith("rpx-agent: ").contains(says, remedy);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void aBatchThatTheFileHasIsItsOwn() throws IOException {
    JsonNode report = report("--input-file x.npy --input steps:scalar:int64=1 --batch 2");

    assertThat(report.path("tier1").path("flops").asLong()).isEqualTo(64);
  }

  private JsonNode report(String words) throws IOException {
    return new ObjectMapper().readTree(run(words + " --json -").out());
  }

  private Agent.Result run(String words) {
    Agent.Result result = agent.run(words(words));
    assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.OK);
    assertThat(result.err()).isEmpty();
    return result;
  }

  private static String[] words(String options) {
    return ("count " + LOOP + " " + options).split(" ");
  }

  /** A version 1.0 file by numpy's description of the format, with these 8-byte integers. */
  private static byte[] npy(String descr, String shape, long... data) {
    String dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
    ByteBuffer file = ByteBuffer.allocate(10 + dict.length() + 8 * data.length);
    file.order(ByteOrder.LITTLE_ENDIAN).put((byte) 0x93);
    file.put("NUMPY\1\0".getBytes(StandardCharsets.ISO_8859_1)).putShort((short) dict.length());
    file.put(dict.getBytes(StandardCharsets.ISO_8859_1));
    for (long value : data) file.putLong(value);
    return file.array();
  }
}
