package org.rpx.agent.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rpx.agent.report.ReportGoldens.API;
import static org.rpx.agent.report.ReportGoldens.FULL;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.tier2.GpuSpec;

class JsonReportTest {
  @TempDir Path folder;

  @Test
  void writesEveryKeyInOrder() throws IOException {
    assertThat(written(Reports.full())).isEqualTo(FULL);
  }

  @Test
  void writesNullForWhatARemoteModelHides() throws IOException {
    assertThat(written(Reports.api())).isEqualTo(API);
  }

  @Test
  void readsBackWhatItWrote() throws IOException {
    for (EfficiencyReport report : List.of(Reports.full(), Reports.api())) {
      EfficiencyReport again = read(written(report));

      assertThat(again.tier1()).isEqualTo(report.tier1());
      assertThat(again.metadata().roofline()).isEqualTo(report.metadata().roofline());
      assertThat(written(again)).isEqualTo(written(report));
      assertThat(RpxJson.computeCostJson(again)).isEqualTo(RpxJson.computeCostJson(report));
    }
  }

  @Test
  void boundsCanBeReckonedAgainAfterReading() throws IOException {
    GpuSpec other = new GpuSpec("Other", 2, 100, null);

    EfficiencyMetadata row = read(FULL).metadata().withRoofline(List.of(other));

    assertThat(row.roofline().get("Other").latencyMs()).isEqualTo(1.0);
    assertThat(row.roofline()).doesNotContainKey("Fast-GPU 80GB");
  }

  @Test
  void samplesKeepTheirNanoseconds() throws IOException {
    long[] ns = {1, 999, 1_000, 123_456_789, 3_600_000_000_001L, 1_000_000_000_000_007L, 0};
    EfficiencyReport report = Reports.with(Reports.tier1(true), Reports.tier3(ns));

    String json = written(report);
    Samples again = read(json).tier3().samples();

    assertThat(json)
        .contains("0.000001, 0.000999, 0.001, 123.456789, 3600000.000001, 1000000000.000007, 0\n");
    assertThat(again.durationsNs()).containsExactly(ns);
    for (int i = 0; i < ns.length; i++) {
      assertThat(again.startNs(i)).isEqualTo(report.tier3().samples().startNs(i));
    }
  }

  @Test
  void manySamplesStandOnFewLines() throws IOException {
    String json = written(Reports.with(Reports.tier1(true), Reports.tier3(new long[1000])));

    assertThat(json.lines().filter(line -> line.startsWith("      0, 0, 0"))).hasSize(2 * 10);
  }

  @Test
  void withoutSamplesEveryStatisticIsNull() throws IOException {
    EfficiencyReport report = Reports.with(Reports.tier1(true), Reports.tier3());

    String json = written(report);

    assertThat(json).contains("\"samples\": 0,", "\"p50_ms\": null", "\"samples_ms\": []");
    assertThat(json).contains("\"throughput_per_s\": null");
    assertThat(written(read(json))).isEqualTo(json);
  }

  @Test
  void noTimeIsNoThroughput() throws IOException {
    EfficiencyReport report = Reports.with(Reports.tier1(true), Reports.tier3(0, 0));

    assertThat(written(report)).contains("\"throughput_per_s\": null").doesNotContain("Infinity");
  }

  @Test
  void aRowWhoseOtherTimeIsLostKeepsItsColumns() throws IOException {
    String moved = FULL.replace("\"gpu\": \"Fast-GPU 80GB\"", "\"gpu\": \"Another\"");

    EfficiencyReport report = read(moved);

    assertThat(report.metadata().toTableRow()).containsEntry("roofline_fast_gpu_80gb_ms", 0.1);
    assertThat(RpxJson.computeCostJson(report))
        .contains("\"compute_ms\": 0.1", "\"memory_ms\": null");
  }

  @Test
  void unknownKeysArePassedOver() throws IOException {
    String more =
        FULL.replace("\"schema\"", "\"new\": {\"deep\": [1, {\"er\": -1}]}, \"schema\"")
            .replace("\"sha256\"", "\"new\": -1, \"sha256\"")
            .replace("\"params\":", "\"new\": [[]], \"params\":")
            .replace("\"device\":", "\"new\": \"x\", \"device\":");

    assertThat(written(read(more))).isEqualTo(FULL);
  }

  @Test
  void whatALaterVersionAddsMayBeMissing() throws IOException {
    String least =
        """
        {"tier1": {"flops_complete": false}, "row": {"type": "local"},
         "model": {"format": "torchscript", "path": "m.pt"}, "schema": "rpx-agent/1"}
        """;

    EfficiencyReport report = read(least);

    assertThat(report.tier1().flops()).isNull();
    assertThat(report.tier3()).isNull();
  }

  @Test
  void readsWhatWindowsShellsWrite() throws IOException {
    byte[] utf16 = ("\ufeff" + FULL).getBytes(StandardCharsets.UTF_16LE);
    Path file = Files.write(folder.resolve("utf16.json"), utf16);

    assertThat(written(JsonReport.read(file))).isEqualTo(FULL);
  }

  private static String written(EfficiencyReport report) throws IOException {
    StringWriter out = new StringWriter();
    JsonReport.write(report, out);
    return out.toString();
  }

  private EfficiencyReport read(String json) throws IOException {
    return JsonReport.read(file(json));
  }

  private Path file(String json) throws IOException {
    return Files.writeString(folder.resolve("report.json"), json);
  }
}
