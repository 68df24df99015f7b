package org.rpx.agent.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Loop;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Pace;
import org.rpx.agent.measure.Samples;

/**
 * Five runs, 1 ms apart. In ms they start at 0, 1.1, 2.5, 3.2, 4.3 and end at 0.4, 2.5, 3.2, 3.6,
 * 4.7: run 1 is slow, 2 and 3 wait, 4 finds the program free.
 */
class PacedReportTest {
  private static final long[] INTENDED = {0, 1_000_000, 2_000_000, 3_000_000, 4_000_000};
  private static final long[] LATENCY = {400_000, 1_500_000, 1_200_000, 600_000, 700_000};
  private static final long[] SERVICE = {400_000, 1_400_000, 700_000, 400_000, 400_000};

  @TempDir private Path folder;

  private static EfficiencyReport report(Loop loop) {
    return Reports.with(
        Reports.tier1(true),
        new Measurement(
            "cpu",
            1.0,
            2.0,
            20,
            new Samples(INTENDED, LATENCY, 5),
            1,
            null,
            null,
            Course.UNKNOWN.withLoop(loop)));
  }

  private static final EfficiencyReport PACED =
      report(new Loop(45L, null, List.of(0, 2), new Pace(1000, SERVICE, 300_000.0)));

  private static String json(EfficiencyReport report) throws IOException {
    StringWriter out = new StringWriter();
    JsonReport.write(report, out);
    return out.toString();
  }

  private EfficiencyReport read(String json) throws IOException {
    return JsonReport.read(Files.writeString(folder.resolve("report.json"), json));
  }

  @Test
  void hasTheScheduleInItsJson() throws IOException {
    JsonNode tier3 = new ObjectMapper().readTree(json(PACED)).path("tier3");

    assertThat(tier3.path("timer_floor_ns").asInt()).isEqualTo(45);
    assertThat(tier3.path("cpus").toString()).isEqualTo("[0,2]");
    assertThat(tier3.path("p50_ms").asDouble()).isEqualTo(0.7);
    // 5 runs in 3.3 ms of work.
    assertThat(tier3.path("throughput_per_s").asDouble()).isCloseTo(5 / 0.0033, within(1e-6));
    JsonNode paced = tier3.path("paced");
    assertThat(paced.path("rate_hz").asDouble()).isEqualTo(1000);
    assertThat(paced.path("period_ms").asDouble()).isEqualTo(1);
    assertThat(paced.path("overloaded").asBoolean(true)).isFalse();
    assertThat(paced.path("deadline_misses").asInt()).isEqualTo(2);
    assertThat(paced.path("longest_run_of_misses").asInt()).isEqualTo(2);
    // Runs 1 and 4 were 0.1 and 0.3 ms late and took 1.4 and 0.4 ms.
    assertThat(paced.path("release_jitter").path("p50_ms").asDouble()).isEqualTo(0.2);
    assertThat(paced.path("after_idle_cost_ms").asDouble()).isCloseTo(0.6, within(1e-12));
    assertThat(paced.path("service").path("p50_ms").asDouble()).isEqualTo(0.4);
    assertThat(paced.path("services_ms").toString()).isEqualTo("[0.4,1.4,0.7,0.4,0.4]");
  }

  /** 0.7 ms of a period of 200, 100, 33.3 and 1 ms. */
  @Test
  void judgesTheAskedRateBesideThoseOfRobots() throws IOException {
    JsonNode verdicts = new ObjectMapper().readTree(json(PACED)).path("tier3").path("real_time");

    assertThat(verdicts)
        .extracting(v -> v.path("hz").asDouble())
        .containsExactly(5.0, 10.0, 30.0, 1000.0);
    assertThat(verdicts)
        .extracting(v -> v.path("beta").asDouble())
        .containsExactly(0.003, 0.007, 0.021, 0.7);
  }

  @Test
  void comesBackAsItWas() throws IOException {
    String json = json(PACED);

    assertThat(read(json).tier3().course().loop()).isEqualTo(PACED.tier3().course().loop());
    assertThat(json(read(json))).isEqualTo(json);
    String cold = json(report(new Loop(45L, 64L << 20, null, null)));
    assertThat(json(read(cold))).isEqualTo(cold).contains("\"flushed_bytes\": 67108864");
  }

  @Test
  void refusesServicesThatCannotBe() throws IOException {
    String json = json(PACED);

    assertThatThrownBy(() -> read(json.replace("0.4, 1.4, 0.7, 0.4, 0.4", "0.4, 1.4, 0.7, 0.4")))
        .hasMessageContaining("5 latencies and 4 services");
    assertThatThrownBy(
            () -> read(json.replace("0.4, 1.4, 0.7, 0.4, 0.4", "0.4, 1.4, 9.7, 0.4, 0.4")))
        .hasMessageContaining("paced runs that cannot be");
  }

  @Test
  void labelsTheTable() throws IOException {
    StringWriter out = new StringWriter();
    new TableReport(false, true).write(PACED, out);

    assertThat(out.toString())
        .contains("Tier 3  measured on cpu, batch 1, paced at 1000 Hz, pinned\n")
        .contains(
            "  deadlines                2 of 5 missed           at most 2 in a row      period 1.000 ms\n")
        .contains("  after idle               +600.0 µs beside p50 300.0 µs back to back\n")
        .contains("1000 Hz yes (beta 0.700)");
    StringWriter cold = new StringWriter();
    new TableReport(false, true).write(report(new Loop(45L, 1L, null, null)), cold);
    assertThat(cold.toString()).contains("Tier 3  measured on cpu, batch 1, cold cache\n");
  }
}
