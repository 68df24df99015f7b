package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.host.CpuSet;

/** Schedules and pinned CPUs, as the command takes them. */
class PacedIT {
  @TempDir private Path folder;

  private Agent.Result run(String... options) {
    String[] all = new String[options.length + 4];
    System.arraycopy(
        new String[] {"measure", Agent.model("identity.pt"), "--input", "2x3"}, 0, all, 0, 4);
    System.arraycopy(options, 0, all, 4, options.length);
    return new Agent(folder).run(all);
  }

  private static JsonNode json(Agent.Result result) throws IOException {
    assertThat(result.exit()).as(result.err()).isZero();
    return new ObjectMapper().readTree(result.out());
  }

  @Test
  void pacesRuns() throws IOException {
    JsonNode tier3 = json(run("--rate", "50hz", "--iterations", "8", "--json", "-")).path("tier3");

    assertThat(tier3.path("starts_ms"))
        .extracting(JsonNode::asDouble)
        .containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0, 120.0, 140.0);
    assertThat(tier3.path("paced").path("services_ms")).hasSize(8);
  }

  /** What the kernel says of the process is in its card. */
  @Test
  void pinsTheProcess() throws IOException {
    assumeThat(Files.exists(Path.of("/proc/self/status"))).as("CPUs are pinned on Linux").isTrue();
    List<Integer> allowed = CpuSet.allowed(Path.of("/"));
    int last = allowed.get(allowed.size() - 1);

    JsonNode report = json(run("--cpus", "" + last, "--iterations", "5", "--json", "-"));

    assertThat(report.path("system").path("cores_allowed").asInt()).isEqualTo(1);
    assertThat(report.path("tier3").path("cpus").toString()).isEqualTo("[" + last + "]");
    // One core leaves nothing to choose.
    assertThat(report.path("tier3").path("threads").path("operators").asInt()).isEqualTo(1);
  }

  @Test
  void saysInALineWhatIsWrong() {
    for (List<String> wrong :
        List.of(
            List.of("--rate", "30", "write a number and a unit, 30hz or 1khz"),
            List.of("--cpus", "1-", "write their numbers, 0,2 or 0-3"),
            List.of("--cpus", "99999", "may not use CPU 99999"),
            List.of("--rate", "30hz", "--cold-cache", "exclude each other"))) {
      Agent.Result result = run(wrong.subList(0, wrong.size() - 1).toArray(new String[0]));

      assertThat(result.exit()).isEqualTo(ExitCode.USAGE);
      assertThat(result.errorLines()).hasSize(1);
      assertThat(result.err()).contains(wrong.get(wrong.size() - 1));
    }
  }
}
