package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.exported.EditedProgram;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;
import org.rpx.agent.trace.InputSpec;

/** What a graph says of bytes and FLOPs is what runs, or a warning says where it is not. */
class GraphCheckTest {
  private static final Path FILES = Path.of("src/test/resources/exported");

  @TempDir Path folder;

  private static EfficiencyReport measured(Path file) {
    Plan plan = Plan.defaults().withIterations(1).withWarmup(0).withThreads(1);
    if (file.getParent().endsWith("versions"))
      plan = plan.withInputs(List.of(InputSpec.parse("3x1x3x3"), InputSpec.parse("3x8")));
    return Rpx.profile(ModelSource.of(file), plan);
  }

  /** State that is put back, numbers beside tensors, graphs in modes, branches, dead code. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "branch",
        "changes_input",
        "changes_input_functional",
        "dead",
        "derived",
        "export_case_01_sdpa",
        "export_dict_input",
        "export_dynamic_batch",
        "export_policy_lstm",
        "functional",
        "modes",
        "numbers",
        "relu",
        "versions/torch_2_5",
        "versions/torch_2_8",
        "versions/torch_2_10",
        "versions/torch_2_15"
      })
  void agreesWithWhatRan(String name) {
    assertThat(measured(FILES.resolve(name + ".pt2")).warnings())
        .extracting(Warning::code)
        .doesNotContain(Warning.Code.COUNTS_DIFFER);
  }

  /** A file that says 4 x 2 of a result of 4 x 4. */
  @Test
  void aGraphThatLiesIsFoundOut() throws IOException {
    EfficiencyReport report = measured(lying());

    // Input 64 bytes; output by the graph 32, in truth 64.
    assertThat(report.tier1().traffic().compulsoryBytes()).isEqualTo(64 + 32);
    assertThat(report.warnings())
        .filteredOn(w -> w.code() == Warning.Code.COUNTS_DIFFER)
        .singleElement()
        .extracting(Warning::message)
        .asString()
        .contains("compulsory bytes (96, ran 128)")
        .contains("fused bytes (96, ran 128)")
        .contains("unfused bytes (96, ran 128)")
        .contains("bytes of the liveness peak (32, ran 64)")
        .doesNotContain("FLOPs (");
  }

  private Path lying() throws IOException {
    return EditedProgram.write(
        FILES.resolve("relu.pt2"),
        folder,
        program -> {
          JsonNode result = program.at("/graph_module/graph/tensor_values/relu");
          ((ObjectNode) result.get("sizes").get(1)).put("as_int", 2);
          ((ObjectNode) result.get("strides").get(0)).put("as_int", 2);
        });
  }
}
