package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One forward, its outputs read back from the file. In the TorchScript models of the tests each
 * linear layer gives the mean of its inputs; torch.export programs have zeros for weights.
 */
class RunIT {
  private static final Path PROGRAMS = Agent.HOME.resolve("src/test/resources/exported");

  @TempDir Path folder;
  private Agent agent;

  /** An array as its .npy says it, of float32. */
  private record Array(String header, List<Float> values) {}

  @BeforeEach
  void start() {
    agent = new Agent(folder);
  }

  /** fc(a) + b: the mean of a is 3, b is 2. */
  @Test
  void writesTheOutputOfAScript() throws IOException {
    String out = ok(script("two_inputs.pt"), "--input a:2x8=3.0 --input b:2x4=2.0");

    Map<String, Array> outputs = arrays("out.npz");
    assertThat(outputs.keySet()).containsExactly("out0");
    assertThat(outputs.get("out0").header()).contains("'descr': '<f4'", "'shape': (2, 4)");
    assertThat(outputs.get("out0").values()).hasSize(8).containsOnly(5f);
    assertThat(out.strip().replaceAll("\\s+", " "))
        .isEqualTo("out0 float32 [2, 4] min 5.00000 mean 5.00000 max 5.00000 NaN 0");
  }

  /** linear(x), and x twice over + y. */
  @Test
  void writesTheOutputsOfAProgram() throws IOException {
    ok(program("derived"), "--input 2x8=1.0 --input 4x8=2.0");

    Map<String, Array> outputs = arrays("out.npz");
    assertThat(outputs.keySet()).containsExactly("out0", "out1");
    assertThat(outputs.get("out0").header()).contains("'shape': (2, 8)");
    assertThat(outputs.get("out0").values()).hasSize(16).containsOnly(0f);
    assertThat(outputs.get("out1").header()).contains("'shape': (4, 8)");
    assertThat(outputs.get("out1").values()).hasSize(32).containsOnly(3f);
  }

  /** The second of four outputs is bfloat16; the others are 0, 2 and extra + 1. */
  @Test
  void saysThatBfloat16IsWrittenAsFloat32() throws IOException {
    Agent.Result result =
        run(program("modes"), "--input x:{in=(4x8=1.0,4x8=1.0)} --input extra:2=5.0");

    assertThat(result.exit()).isZero();
    assertThat(result.errorLines()).hasSize(1);
    assertThat(result.err()).contains("out.npz: out1 is bfloat16, written as float32");
    Map<String, Array> outputs = arrays("out.npz");
    assertThat(outputs.keySet()).containsExactly("out0", "out1", "out2", "out3");
    assertThat(outputs.get("out1").header()).contains("'descr': '<f4'", "'shape': (4, 8)");
    assertThat(outputs.get("out1").values()).hasSize(32).containsOnly(0f);
    assertThat(outputs.get("out2").values()).containsExactly(2f, 2f, 2f);
    assertThat(outputs.get("out3").values()).containsExactly(6f, 6f);
  }

  /**
   * Kernels choose by whether a weight is to be trained: a program's are marked as a script's are.
   */
  @Test
  void aProgramAndAScriptOfOneModuleGiveTheSameBits() throws IOException {
    run(PROGRAMS.resolve("fold.pt").toString(), "--input 1x8x64 --seed 1 --threads 1");
    byte[] script = Files.readAllBytes(folder.resolve("out.npz"));

    run(program("fold"), "--input 1x8x64 --seed 1 --threads 1");

    assertThat(Files.readAllBytes(folder.resolve("out.npz"))).isEqualTo(script);
  }

  /** x / 0 of 0 is NaN, of all else infinite. */
  @Test
  void countsNan() throws IOException {
    assertThat(ok(script("nan.pt"), "--input 2x4=0.0"))
        .contains("[2, 4]", "NaN 8")
        .doesNotContain("min");
    assertThat(ok(script("nan.pt"), "--input 2x4=1.0")).contains("max Infinity", "NaN 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "two_inputs.pt; --input 2x8 --input 2x4; a b",
        "dict_input.pt; --input {b=2x4,a=2x8}; d.b d.a",
        "derived; --input 2x8 --input 4x8; x y",
        "modes; ; x.in.0 x.in.1 extra",
        "export_dict_input; ; batch.rgb batch.depth batch.state"
      })
  void savedInputsGiveTheSameOutputs(String file, String inputs, String names) throws IOException {
    String model = file.endsWith(".pt") ? script(file) : program(file);
    run(model, (inputs == null ? "" : inputs) + " --save-inputs in.npz");
    byte[] first = Files.readAllBytes(folder.resolve("out.npz"));

    run(model, "--input-file in.npz");

    assertThat(arrays("in.npz").keySet()).containsExactlyInAnyOrder(names.split(" "));
    assertThat(Files.readAllBytes(folder.resolve("out.npz"))).isEqualTo(first);
  }

  @Test
  void aSeedDecidesTheInputs() throws IOException {
    List<byte[]> saved = new ArrayList<>();
    for (String seed : new String[] {"", " --seed 7", " --seed 7"}) {
      ok(script("identity.pt"), "--input 2x4 --save-inputs in.npz" + seed);
      saved.add(Files.readAllBytes(folder.resolve("in.npz")));
      assertThat(arrays("out.npz").get("out0")).isEqualTo(arrays("in.npz").get("x"));
    }
    assertThat(saved.get(1)).isEqualTo(saved.get(2)).isNotEqualTo(saved.get(0));
  }

  /** numpy.savez names what it gets without a name arr_0, arr_1 … */
  @Test
  void inputsMayBeNamedByPlace() throws IOException {
    ok(script("identity.pt"), "--input 2x4=3.0 --save-inputs in.npz");
    byte[] x = member("in.npz", "x.npy");
    for (String name : new String[] {"arr_1", "in1"}) {
      Files.write(folder.resolve("b.npz"), zip(name + ".npy", x));
      ok(script("two_inputs.pt"), "--input 2x8=1.0 --input-file b.npz");

      assertThat(arrays("out.npz").get("out0").values()).containsOnly(4f);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--output none/out.npz; 2; none/out.npz (--output) cannot be written: no such file or folder",
        "--output .; 2; . (--output) cannot be written: it is a folder",
        "--output out.npz --save-inputs none/in.npz; 2; none/in.npz (--save-inputs) cannot be written",
        "--output out.npz --save-inputs ./out.npz; 2; --output and --save-inputs name one file",
        "--save-inputs in.npz; 2; --output",
        "--output out.npz --input-file cut.npz; 2; cut.npz: is damaged",
        "--output out.npz --input-file x=cut.npz; 2; leave out x=",
        "--output out.npz --input 2x3; 4; it takes forward"
      })
  void mistakesAreOneLineAndLeaveNothing(String words, int exit, String says) throws IOException {
    Files.writeString(folder.resolve("cut.npz"), "PK\u0003\u0004 and what follows in a zip");
    List<String> all = new ArrayList<>(List.of("run", Agent.model("two_inputs.pt")));
    all.addAll(List.of(words.split(" ")));

    Agent.Result result = agent.run(all.toArray(String[]::new));

    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    assertThat(result.errorLines()).hasSize(1);
    assertThat(result.err()).contains(says);
    assertThat(result.out()).isEmpty();
    assertThat(Agent.content(folder))
        .extracting(p -> folder.relativize(p).toString())
        .containsExactlyInAnyOrder("cut.npz", "stderr", "stdout", "tmp");
  }

  @Test
  void theModelIsNotOverwritten() throws IOException {
    Path model = folder.resolve("model.pt");
    Files.copy(Agent.MODELS.resolve("identity.pt"), model);

    Agent.Result result = agent.run("run", "model.pt", "--input", "2x4", "--output", "model.pt");

    assertThat(result.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("model.pt (--output) is the model's file");
    assertThat(Files.mismatch(model, Agent.MODELS.resolve("identity.pt"))).isEqualTo(-1);
  }

  private static String script(String file) {
    return Agent.model(file);
  }

  private static String program(String name) {
    return PROGRAMS.resolve(name + ".pt2").toString();
  }

  private String ok(String model, String words) {
    Agent.Result result = run(model, words);
    assertThat(result.err()).isEmpty();
    return result.out();
  }

  private Agent.Result run(String model, String words) {
    List<String> all = new ArrayList<>(List.of("run", model, "--output", "out.npz"));
    for (String word : words.split(" ")) if (!word.isEmpty()) all.add(word);
    Agent.Result result = agent.run(all.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.OK);
    return result;
  }

  private Map<String, Array> arrays(String file) throws IOException {
    Map<String, Array> arrays = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(folder.resolve(file).toFile())) {
      for (ZipEntry member : Collections.list(zip.entries())) {
        byte[] bytes = zip.getInputStream(member).readAllBytes();
        ByteBuffer npy = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int length = npy.getShort(8);
        String header = new String(bytes, 10, length, StandardCharsets.US_ASCII);
        List<Float> values = new ArrayList<>();
        npy.position(10 + length);
        while (npy.hasRemaining()) values.add(npy.getFloat());
        arrays.put(member.getName().replaceFirst("\\.npy$", ""), new Array(header, values));
      }
    }
    return arrays;
  }

  private byte[] member(String file, String name) throws IOException {
    try (ZipFile zip = new ZipFile(folder.resolve(file).toFile())) {
      return zip.getInputStream(zip.getEntry(name)).readAllBytes();
    }
  }

  private static byte[] zip(String name, byte[] content) throws IOException {
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    try (java.util.zip.ZipOutputStream zip = new java.util.zip.ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(content);
    }
    return bytes.toByteArray();
  }
}
