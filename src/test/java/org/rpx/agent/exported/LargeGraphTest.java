package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Graphs larger than any that is known. */
class LargeGraphTest {
  @TempDir Path folder;

  @Test
  void hundredThousandNodes() throws IOException {
    int nodes = 100_000;
    String meta =
        "{\"dtype\": 7, \"sizes\": [{\"as_int\": 4}, {\"as_int\": 8}], \"strides\": [{\"as_int\":"
            + " 8}, {\"as_int\": 1}], \"requires_grad\": false, \"layout\": 7}";
    String trace = "x".repeat(300);
    StringBuilder json = new StringBuilder("{\"graph_module\": {\"graph\": {\"inputs\": [");
    json.append(tensor(0)).append("], \"outputs\": [").append(tensor(nodes));
    json.append("], \"nodes\": [");
    for (int i = 0; i < nodes; i++) {
      json.append(i == 0 ? "" : ",").append("{\"target\": \"torch.ops.aten.relu.default\",");
      json.append("\"inputs\": [{\"name\": \"self\", \"arg\": ").append(tensor(i));
      json.append("}], \"outputs\": [").append(tensor(i + 1));
      json.append("], \"metadata\": {\"stack_trace\": \"").append(trace).append("\"}}");
    }
    json.append("], \"tensor_values\": {");
    for (int i = 0; i <= nodes; i++)
      json.append(i == 0 ? "" : ",").append("\"v").append(i).append("\": ").append(meta);
    json.append("}}, \"signature\": {\"input_specs\": [{\"user_input\": {\"arg\": ")
        .append(tensor(0));
    json.append("}}], \"output_specs\": [{\"user_output\": {\"arg\": ").append(tensor(nodes));
    json.append("}}]}}, \"schema_version\": {\"major\": 8, \"minor\": 15}}");
    Path file = TestArchive.ofGraph(json.toString()).write(folder.resolve("large.pt2"));
    Assertions.assertTimeout(
        Duration.ofSeconds(20),
        () -> {
          ExportedProgram program = ExportedProgram.read(file);
          assertThat(program.trace(null).calls()).hasSize(nodes);
          assertThat(program.deadProducts()).isZero();
        });
  }

  private static String tensor(int i) {
    return "{\"as_tensor\": {\"name\": \"v" + i + "\"}}";
  }
}
