package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are no such archive, or not a whole one. */
class ArchiveErrorsTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("model.pt2");
  }

  private void fails(Path file, String what) {
    assertThatExceptionOfType(ProgramException.class)
        .isThrownBy(() -> ExportedProgram.read(file).trace(null))
        .withMessageStartingWith(file + ": ")
        .withMessageContaining(what)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n").contains("; "));
  }

  private void fails(TestArchive archive, String what) throws IOException {
    fails(archive.write(file()), what);
  }

  private static TestArchive dynamic() throws IOException {
    return TestArchive.of("export_dynamic_batch");
  }

  @Test
  void otherFiles() throws IOException {
    fails(folder.resolve("none.pt2"), "no such file");
    fails(folder, "it is a folder");
    fails(Files.write(file(), new byte[0]), "it is no zip archive");
    fails(Files.writeString(file(), "PK, but no more"), "it is damaged");
    TestArchive script = new TestArchive();
    script.members.put("model/constants.pkl", new byte[1]);
    fails(script, "it is TorchScript");
    TestArchive compiled = new TestArchive();
    compiled.members.put("model/data/aotinductor/model/x.so", new byte[1]);
    fails(compiled, "it is an AOTInductor package");
  }

  @Test
  void aPipeIsNotWaitedFor() throws Exception {
    Path pipe = folder.resolve("pipe.pt2");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          assertThat(ExportedProgram.isArchive(pipe)).isTrue();
          fails(pipe, "it is no regular file");
        });
  }

  /** What is named as an archive and is nothing else is looked at as one, to say what is wrong. */
  @Test
  void names() throws IOException {
    byte[] whole = Files.readAllBytes(TestArchive.resource("export_dynamic_batch"));
    byte[] cut = Arrays.copyOf(whole, whole.length / 2);
    TestArchive script = new TestArchive();
    script.members.put("model/constants.pkl", new byte[1]);
    assertThat(ExportedProgram.isArchive(Files.write(file(), cut))).isTrue();
    assertThat(ExportedProgram.isArchive(folder.resolve("none.pt2"))).isTrue();
    assertThat(ExportedProgram.isArchive(script.write(file()))).isFalse();
    assertThat(ExportedProgram.isArchive(Files.write(folder.resolve("m.pt"), whole))).isTrue();
    assertThat(ExportedProgram.isArchive(Files.write(folder.resolve("m.pt"), cut))).isFalse();
    assertThat(ExportedProgram.isArchive(folder.resolve("none.pt"))).isFalse();
  }

  @Test
  void missingMembers() throws IOException {
    TestArchive none = dynamic();
    none.members.remove(none.member("models/model.json"));
    fails(none, "it has no models/model.json");
    TestArchive weights = dynamic();
    weights.members.remove(weights.member("weights_config.json"));
    fails(weights, "it has no export_dynamic_batch/data/weights/model_weights_config.json");
  }

  @Test
  void membersNamedAsPathsAreNotFollowed() throws IOException {
    TestArchive archive = dynamic();
    archive.members.put("../../models/model.json", new byte[0]);
    archive.members.put("/models/../model.json", new byte[0]);
    assertThat(ExportedProgram.read(archive.write(file())).trace(null).calls()).hasSize(8);
  }

  @Test
  void malformedJson() throws IOException {
    TestArchive archive = dynamic();
    archive.replacing("model.json", "\"nodes\": [", "\"nodes\": [}");
    fails(
        archive, "models/model.json is not as torch.export writes it (\"/graph_module/graph/nodes");
    fails(dynamic().replacing("model.json", "\"nodes\":", "\"knots\":"), "has no \"nodes\"");
    fails(
        dynamic()
            .replacing("weights_config.json", "\"path_name\": \"weight_0\"", "\"path_name\": 3"),
        "weights_config.json is not as torch.export writes it (\"/config/c1.weight/path_name\" is"
            + " not a text)");
    fails(
        dynamic()
            .replacing("model.json", "{\"as_int\": 12288}", "{\"as_int\": 9999999999999999999}"),
        "is a number beyond 64 bits");
    fails(dynamic().replacing("model.json", "\"dtype\": 7", "\"dtype\": 99"), "is 99, which is no");
  }

  @Test
  void badGraphs() throws IOException {
    fails(
        dynamic().replacing("model.json", "{\"name\": \"relu\"}", "{\"name\": \"relu_9\"}"),
        "its graph does not tell what relu_9 is");
    fails(
        dynamic()
            .replacing(
                "model.json",
                "\"arg\": {\"as_tensor\": {\"name\": \"conv2d\"}}",
                "\"arg\": {\"as_tensor\": {\"name\": \"linear\"}}"),
        "aten::relu reads linear, which nothing before it makes");
    fails(
        dynamic().replacing("model.json", "{\"as_int\": 32}", "{\"as_int\": -32}"),
        "a size of conv2d is -32");
    fails(
        dynamic().replacing("model.json", "{\"as_int\": 32}", "{\"as_int\": 9223372036854775807}"),
        "conv2d has more than 2^63 bytes");
    fails(
        dynamic().replacing("model.json", "Symbol('s77', positive", "Sinus('s77', positive"),
        "\"Sinus\" is no function that is known here");
  }

  @Test
  void otherSchemas() throws IOException {
    fails(
        dynamic().replacing("model.json", "\"major\": 8", "\"major\": 9"),
        "its schema version is 9.20, of torch 2.13.0+cpu");
    // Also where nothing else is as it was.
    fails(
        TestArchive.ofGraph("{\"graphs\": [], \"schema_version\": {\"major\": 12, \"minor\": 1}}"),
        "its schema version is 12.1");
  }

  @Test
  void zipBombs() throws IOException {
    try (OutputStream out = Files.newOutputStream(file());
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("m/models/model.json"));
      zip.write("{\"graph_module\": ".getBytes(StandardCharsets.UTF_8));
      byte[] blanks = new byte[1 << 20];
      java.util.Arrays.fill(blanks, (byte) ' ');
      for (int i = 0; i < 64; i++) zip.write(blanks);
      zip.closeEntry();
    }
    fails(file(), "unpacks to more than 300 times its size");
  }

  @Test
  void deepNesting() throws IOException {
    String deep = "[".repeat(100_000);
    fails(TestArchive.ofGraph("{\"graph_module\": {\"metadata\": " + deep), "is malformed: ");
    fails(TestArchive.ofGraph("{\"graph_module\": {\"graph\": " + deep), "is not an object");
    StringBuilder nested =
        new StringBuilder("{\"schema_version\": {\"major\": 8}, \"graph_module\": ");
    String level = "{\"graph\": {\"nodes\": [{\"inputs\": [{\"arg\": {\"as_graph\": ";
    nested.append(level.repeat(1000));
    fails(TestArchive.ofGraph(nested.toString()), "models/model.json is not as torch.export");
  }

  @Test
  void textsOfTheFileAreShownOnOneLine() throws IOException {
    fails(
        dynamic().replacing("model.json", "{\"name\": \"relu\"}", "{\"name\": \"re\\nlu\\u001b\"}"),
        "what re?lu? is");
  }
}
