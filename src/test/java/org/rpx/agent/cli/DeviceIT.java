package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --device} by the packaged command, on the simulated accelerator and without any. */
class DeviceIT {
  private static final String TIED = Agent.model("tied.pt");

  @TempDir Path folder;

  private Agent.Result onSimulator(Agent agent, String... words) {
    String ending = System.getProperty("os.name").startsWith("Mac") ? "dylib" : "so";
    Path library = Path.of(System.getProperty("rpx.native"), "test", "librpxsim." + ending);
    List<String> all = new ArrayList<>(Arrays.asList(words));
    all.addAll(List.of(TIED, "--input", "4x16", "--device", "sim", "--json", "-"));
    all.addAll(List.of("--library", library.toAbsolutePath().toString(), "--allow-native-code"));
    return agent.run(all.toArray(String[]::new));
  }

  private static JsonNode json(Agent.Result result) throws IOException {
    assertThat(result.exit()).as(result.err()).isZero();
    return new ObjectMapper().readTree(result.out());
  }

  @Test
  void measuresThere() throws IOException {
    Agent agent = new Agent(folder).set("RPX_SIM_KERNEL_NS", "5000000");

    JsonNode tier3 = json(onSimulator(agent, "measure", "--iterations", "10")).path("tier3");

    assertThat(tier3.path("device").asText()).isEqualTo("sim:0");
    assertThat(tier3.path("p50_ms").asDouble()).isBetween(14.99, 15.01);
    assertThat(tier3.path("device_time").path("clock").asText()).isEqualTo("events");
    assertThat(tier3.path("device_time").path("enqueue_ms")).hasSize(10);
    assertThat(tier3.path("peak").path("device").path("allocated_mb").asDouble())
        .isEqualTo(3072 / 1048576.0);
  }

  @Test
  void whatDoesNotFitEndsInOneLine() {
    Agent agent = new Agent(folder).set("RPX_SIM_LIMIT", "1024");

    Agent.Result result = onSimulator(agent, "measure", "--iterations", "10");

    assertThat(result.exit()).isEqualTo(4);
    assertThat(result.errorLines()).hasSize(1);
    assertThat(result.err())
        .contains("needs 1.600 kB (weights 1.088 kB, activations 512 B) on sim");
  }

  @Test
  void andIsCountedOnTheCpu() throws IOException {
    Agent agent = new Agent(folder).set("RPX_SIM_LIMIT", "1024");

    JsonNode report = json(onSimulator(agent, "count"));

    assertThat(report.path("tier1").path("flops").asLong()).isEqualTo(2 * 2 * 4 * 16 * 16);
    assertThat(report.path("warnings").findValuesAsText("code")).contains("COUNTED_ON_CPU");
  }

  @Test
  void aMissingOneSaysWhy() {
    Agent.Result result =
        new Agent(folder).run("measure", TIED, "--input", "4x16", "--device", "cuda");

    assertThat(result.exit()).isEqualTo(4);
    assertThat(result.errorLines()).hasSize(1);
    assertThat(result.err()).startsWith("rpx-agent: no CUDA: ");
  }

  @Test
  void autoWithoutAnyIsTheCpu() throws IOException {
    JsonNode report =
        json(
            new Agent(folder)
                .run(
                    "measure",
                    TIED,
                    "--input",
                    "4x16",
                    "--device",
                    "auto",
                    "--iterations",
                    "5",
                    "--json",
                    "-"));

    assertThat(report.path("tier3").path("device").asText()).isEqualTo("cpu");
    assertThat(report.path("tier3").path("device_time").isNull()).isTrue();
    assertThat(report.path("warnings").findValuesAsText("message"))
        .anyMatch(m -> m.startsWith("device: auto found no accelerator ("));
  }
}
