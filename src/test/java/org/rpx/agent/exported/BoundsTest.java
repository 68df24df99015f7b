package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.tier1.FlopRegistry;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier1.TrafficModel;

/** Graphs that are made to take memory or time: each is refused before it does, or counted. */
class BoundsTest {
  private static final String SIZE = "{\"as_int\": 32}";

  @TempDir Path folder;

  private static TestArchive dynamic() throws IOException {
    return TestArchive.of("export_dynamic_batch");
  }

  private void fails(TestArchive archive, String what) throws IOException {
    Path file = archive.write(folder.resolve("model.pt2"));
    assertTimeout(
        Duration.ofSeconds(30),
        () ->
            assertThatExceptionOfType(ProgramException.class)
                .isThrownBy(() -> ExportedProgram.read(file).trace(null))
                .withMessageStartingWith(file + ": ")
                .withMessageContaining(what)
                .satisfies(
                    e -> assertThat(e.getMessage()).hasSizeLessThan(1200).doesNotContain("\n")));
  }

  /** Digits that do not shrink as a bomb does. */
  private static String digits(int n, String between) {
    Random random = new Random(1);
    StringBuilder digits = new StringBuilder(n * (1 + between.length()));
    for (int i = 0; i < n; i++) digits.append(random.nextInt(10)).append(between);
    return digits.toString();
  }

  @Test
  void values() throws IOException {
    String list = digits(20_000_000, ",");
    String node = "{\"inputs\": [{\"arg\": {\"as_ints\": [" + list + "1]}}]}, ";
    fails(
        dynamic().replacing("model.json", "\"nodes\": [", "\"nodes\": [" + node),
        "is one of more than 20000000 values");
  }

  @Test
  void expressions() throws IOException {
    String digits = digits(17_100_000, "");
    String nodes =
        IntStream.range(0, 190)
            .mapToObj(
                i ->
                    "{\"as_expr\": {\"expr_str\": \""
                        + digits.substring(90_000 * i, 90_000 * (i + 1))
                        + "\"}}")
            .collect(Collectors.joining(", \"x\": "));
    fails(
        dynamic()
            .replacing(
                "model.json", "\"sym_int_values\": {", "\"sym_int_values\": {\"x\": " + nodes),
        "is one of expressions of more than 16777216 characters");
  }

  @Test
  void expressionsThatAreHardToShow() throws IOException {
    String hard = "{\"as_expr\": {\"expr_str\": \"" + "Symbol('a'".repeat(9000) + "\"}}";
    fails(dynamic().replacing("model.json", SIZE, hard), "cannot be reckoned (malformed");
    String deep = "{\"as_expr\": {\"expr_str\": \"" + "(".repeat(90_000) + "\"}}";
    fails(dynamic().replacing("model.json", SIZE, deep), "(nested deeper than 150)");
  }

  @Test
  void modules() throws IOException {
    StringBuilder nodes = new StringBuilder();
    for (int i = 0; i < 10; i++) nodes.append(node("m" + i + ".a".repeat(9_900))).append(',');
    fails(
        dynamic().replacing("model.json", "\"nodes\": [", "\"nodes\": [" + nodes),
        "names too many modules");
  }

  private static String node(String path) {
    return "{\"target\": \"torch.ops.aten.rand.default\", \"inputs\": [], \"outputs\": [],"
        + " \"metadata\": {\"nn_module_stack\": \"n,"
        + path
        + ",torch.nn.ReLU\"}}";
  }

  @Test
  void aThousandNestedModules() throws IOException {
    String path = "layers" + ".0".repeat(999);
    TestArchive archive =
        dynamic().replacing("model.json", "\"nodes\": [", "\"nodes\": [" + node(path) + ",");
    ExportedProgram program = ExportedProgram.read(archive.write(folder.resolve("m.pt2")));
    ModelProperties properties =
        ModelProperties.of(
            program.trace(null),
            program.weights(),
            FlopRegistry.standard(),
            TrafficModel.COMPULSORY,
            false);
    assertThat(properties.modules())
        .filteredOn(m -> m.path().startsWith("layers"))
        .hasSize(1000)
        .allMatch(m -> m.calls() == 1);
    assertThat(properties.modules().get(0).calls()).isEqualTo(9);
  }

  /** As deep as JSON is read at all; deeper is malformed. */
  @Test
  void aThousandNestedLists() throws IOException {
    String ints = "{\"as_ints\": [2, 2]}";
    String open = "{\"as_optional_tensors\": [";
    String list = open.repeat(490) + "]}".repeat(490);
    TestArchive archive = dynamic().replacing("model.json", ints, list);
    assertThat(ExportedProgram.read(archive.write(folder.resolve("m.pt2"))).trace(null).calls())
        .hasSize(8);
    fails(
        dynamic().replacing("model.json", ints, open.repeat(1000) + "]}".repeat(1000)),
        "is malformed: ");
    fails(
        dynamic().replacing("model.json", ints, "[".repeat(1000) + "]".repeat(1000)),
        "is not an object");
  }
}
