package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.trace.InputSpec;

/** What a file asks of its inputs; of {@code derived}, whose x is 3 x 8 and y 6 x 8. */
class GuardsTest {
  @TempDir Path folder;

  private ExportedProgram derived(String... guards) throws IOException {
    TestArchive archive = TestArchive.of("derived");
    JsonNode json = archive.json("model.json");
    ArrayNode list = ((ObjectNode) json).putArray("guards_code");
    for (String guard : guards) list.add(guard);
    return ExportedProgram.read(archive.with("model.json", json).write(folder.resolve("d.pt2")));
  }

  private static List<InputSpec> inputs(String text) {
    return Arrays.stream(text.split(";")).map(InputSpec::parse).toList();
  }

  private static void refuses(ExportedProgram program, String inputs, String message) {
    for (Runnable check :
        List.<Runnable>of(
            () -> program.trace(inputs(inputs)),
            () -> program.traceOrNull(inputs(inputs)),
            () -> program.leaves(inputs(inputs)),
            () -> program.uncheckedGuards(inputs(inputs))))
      assertThatIllegalArgumentException()
          .isThrownBy(check::run)
          .satisfies(e -> assertThat(e).isNotInstanceOf(ProgramException.class))
          .withMessageContaining("d.pt2: " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "numbers | rows:scalar:int64=2;x:6x8;options:{shift=8}",
        "numbers | rows:scalar:int64=6;x:6x8;options:{shift=8}",
        "guarded | {rgb=12x3};(5,6)",
        "guarded | {rgb=8x3};(4,3)",
        "derived | 5x8;10x8",
      })
  void inputsWithinThemPass(String file, String inputs) {
    ExportedProgram program = ExportedProgram.read(TestArchive.resource(file));
    assertThat(program.uncheckedGuards(inputs(inputs))).isEmpty();
    assertThat(program.trace(inputs(inputs)).calls()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "numbers",
        "derived",
        "guarded",
        "versions/torch_2_9",
        "versions/torch_2_10",
        "versions/torch_2_15",
        "versions/torch_2_5"
      })
  void theExampleFulfilsThem(String file) {
    ExportedProgram program = ExportedProgram.read(TestArchive.resource(file));
    assertThat(program.uncheckedGuards(null)).isEmpty();
    assertThat(program.uncheckedGuards(program.sampleInputs())).isEmpty();
  }

  /** The names that exports through Dynamo write, and those of inputs in a row. */
  @Test
  void inputsHaveOtherNamesToo() throws IOException {
    refuses(
        derived("L['flat_args'][1].size()[0] != 10"),
        "5x8;10x8",
        "dimension 0 of input y is 10: the program was exported for L['flat_args'][1].size()[0] !="
            + " 10; give inputs");
    TestArchive archive =
        TestArchive.of("derived")
            .replacing("model.json", "[\"x\", \"y\"]", "[\"args_0\", \"args_1\"]")
            .replacing("model.json", "L['x'].size()", "L['args'][0].size()")
            .replacing("model.json", "L['y'].size()[0]", "L['args'][1].size()[0] - 1");
    refuses(
        ExportedProgram.read(archive.write(folder.resolve("d.pt2"))),
        "5x8;10x8",
        "dimension 0 of input args_0 is 5, dimension 0 of input args_1 is 10: the program was");
  }

  /** A check that divides by zero stops the exporter's own, as one that is false does. */
  @Test
  void whatDividesByZeroDoesNotHold() throws IOException {
    ExportedProgram program = derived("L['x'].size()[0] % (L['y'].size()[0] - 10) != 1");
    assertThat(program.uncheckedGuards(inputs("4x8;8x8"))).isEmpty();
    refuses(program, "5x8;10x8", "dimension 0 of input x is 5, dimension 0 of input y is 10: the");
  }

  @Test
  void whatCannotBeCheckedIsTold() throws IOException {
    ExportedProgram program =
        derived(
            "L['x'].stride()[0] == 1",
            "L['z'].size()[0] == 1",
            "L['x'].size()[2] == 1",
            "L['x'] == 1",
            "2 ** (L['x'].size()[0] * 20) > 5",
            "2 ** (L['x'].size()[0] * 20) > 5",
            "L['x'].size()[0] > 1",
            "L['x'].size()[0]\n\u001b[2J is 3");
    assertThatCode(() -> program.trace(null)).doesNotThrowAnyException();
    assertThat(program.uncheckedGuards(inputs("5x8;10x8")))
        .satisfiesExactly(
            g ->
                assertThat(g)
                    .isEqualTo(
                        "L['x'].stride()[0] == 1 (it asks for more of an input than sizes and"
                            + " numbers)"),
            g ->
                assertThat(g)
                    .isEqualTo(
                        "L['z'].size()[0] == 1 (the inputs have no z with" + " dimension 0)"),
            g -> assertThat(g).endsWith("(the inputs have no x with dimension 2)"),
            g -> assertThat(g).isEqualTo("L['x'] == 1 (the inputs have no number x)"),
            g -> assertThat(g).startsWith("L['x'].size()[0]??[2J is 3 (malformed at character "),
            g -> assertThat(g).startsWith("2 ** (L['x'].size()[0] * 20) > 5 (").contains("2^63"));
    // 2^60 fits.
    assertThat(program.uncheckedGuards(null)).hasSize(5);
  }

  @Test
  void hostileOnesAreBounded() throws IOException {
    String[] guards = new String[2_000];
    for (int i = 0; i < guards.length; i++)
      guards[i] = "(".repeat(1_000) + "L['x'].size()[0]" + " > " + i + ")".repeat(1_000);
    assertThat(derived(guards).uncheckedGuards(null))
        .hasSize(guards.length)
        .allSatisfy(g -> assertThat(g).hasSizeLessThan(700).contains("nested deeper than"));

    String wide = "L['x'].size()[0] + ".repeat(100_000) + "1 > 0";
    String huge = "L['x'].size()[0] < " + "9".repeat(1_000);
    assertThat(derived(wide, huge).uncheckedGuards(null))
        .hasSize(2)
        .allSatisfy(g -> assertThat(g).hasSizeLessThan(700));

    String many = "L['x'].size()[0] - ".repeat(4_000) + "1 > 0";
    refuses(
        derived(many), "5x8;10x8", "dimension 0 of input x is 5: the program was exported for L");
  }

  @Test
  void conditionsOnNothingAreCheckedToo() throws IOException {
    refuses(derived("1 > 2"), "5x8;10x8", "the program was exported for 1 > 2; give inputs");
  }
}
