package org.rpx.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class MarkdownReportTest {
  private static final String HEADER =
      "| Model | Params | FLOPs | MACs | Traffic | FLOP/B | p50 | p95 | p99 | Throughput |"
          + " Peak memory |\n"
          + "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n";

  @Test
  void writesTwoTablesTheMachineAndTheWarnings() throws IOException {
    assertThat(written(Reports.full()))
        .isEqualTo(
            HEADER
                + "| models/net.pt | 1.500 M | 2.000 GFLOP | 1.000 GMAC | 8.000 MB | 250"
                + " | 3.000 ms | n/a | n/a | 666.7 samples/s | 512.5 MiB (resident) |\n"
                + """

                | GPU | Precision | Compute | Memory | Lower bound | Limited by |
                | --- | --- | --: | --: | --: | --- |
                | Fast-GPU 80GB | fp32 | 100.0 µs | 4.000 µs | 100.0 µs | compute |
                | Old_GPU | bf16 | n/a | n/a | n/a | n/a |

                Measured on: Test CPU, 3.5 GHz | PyTorch 2.10.0 | fp32

                - **OVERSUBSCRIBED** 2 threads on 1 core; use fewer
                """);
  }

  @Test
  void unknownIsNotAvailable() throws IOException {
    assertThat(written(Reports.api()))
        .isEqualTo(
            HEADER
                + "| vendor/model-1 | n/a | n/a | n/a | n/a | n/a | n/a | n/a | n/a | n/a | n/a"
                + " |\n");
  }

  @Test
  void incompleteFlopsAreALowerBound() throws IOException {
    EfficiencyReport report = Reports.with(Reports.tier1(false), null);

    assertThat(written(report))
        .contains("| 1.500 M | ≥ 2.000 GFLOP | ≥ 1.000 GMAC | 8.000 MB | ≥ 250 | n/a |")
        .contains("\nMachine: Test CPU");
  }

  @Test
  void microsecondsAreNotZero() throws IOException {
    EfficiencyReport report = Reports.with(Reports.tier1(true), Reports.tier3(3_000));

    assertThat(written(report)).contains("| 3.000 µs | n/a | n/a |");
  }

  @Test
  void textsCannotBreakOutOfTheirPlace() throws IOException {
    EfficiencyReport report = Reports.named("a|b/_x_/net_1.pt<img>*", "one\n# two & `three`");

    assertThat(written(report))
        .contains("| a\\|b/\\_x\\_/net_1.pt&lt;img>\\* | 1.500 M")
        .contains("- **UNAVAILABLE** one # two &amp; \\`three\\`\n");
  }

  private static String written(EfficiencyReport report) throws IOException {
    StringWriter out = new StringWriter();
    MarkdownReport.write(report, out);
    return out.toString();
  }
}
