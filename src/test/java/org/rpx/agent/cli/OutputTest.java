package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.report.EfficiencyMetadata;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.JsonReport;
import picocli.CommandLine;

/** Where samples go: into the report, or, where they are many, beside it. */
class OutputTest {
  @TempDir Path folder;

  @Test
  void manySamplesGoBesideTheReport() throws IOException {
    Path json = write(100_001);
    assertThat(Agent.content(folder)).containsExactly(json, folder.resolve("r.json.samples.npy"));
    assertThat(Files.size(json)).isLessThan(100_000);
    Samples read = JsonReport.read(json).tier3().samples();
    assertThat(read.count()).isEqualTo(100_001);
    assertThat(read.durationNs(100_000)).isEqualTo(1100);
  }

  @Test
  void fewStayInIt() throws IOException {
    Path json = write(100_000);
    assertThat(Agent.content(folder)).containsExactly(json);
    assertThat(JsonReport.read(json).tier3().samples().durationNs(99_999)).isEqualTo(1099);
  }

  private Path write(int n) throws IOException {
    long[] starts = new long[n];
    long[] durations = new long[n];
    for (int i = 0; i < n; i++) {
      starts[i] = 2000L * i;
      durations[i] = 1000 + i % 1000;
    }
    durations[n - 1] = n == 100_001 ? 1100 : 1099;
    Measurement measured =
        new Measurement("cpu", 1.0, 2.0, 3, new Samples(starts, durations, n), 1, null, null);
    Path json = folder.resolve("r.json");
    Output output = new Output();
    new CommandLine(output).parseArgs("--json", json.toString(), "--format", "rpx-row");
    output.write(
        new EfficiencyReport(
            new EfficiencyReport.Model("vendor/model", "api", null, null),
            List.of(),
            EfficiencyMetadata.builder().modelType("api").build(),
            null,
            List.of(),
            measured,
            null,
            List.of()));
    return json;
  }
}
