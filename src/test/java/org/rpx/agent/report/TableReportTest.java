package org.rpx.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.tier1.ActivationMemory;
import org.rpx.agent.tier1.MemoryTraffic;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier1.ModuleCost;
import org.rpx.agent.tier1.OpGroup;
import org.rpx.agent.tier1.TrafficModel;

class TableReportTest {
  @Test
  void writesEveryTier() throws IOException {
    assertThat(written(Reports.full()))
        .isEqualTo(
            """
            models/net.pt  torchscript, 6.012 MB
              input image: float32 [2, 3, 48, 64], seeded uniform
              input scale: float32 [], fill 0.5

            Tier 1  what one forward call needs, whatever it runs on
              parameters               1.500 M
              trainable                1.000 M
              buffers                    250
              FLOPs                    2.000 GFLOP
              MACs                     1.000 GMAC
              FLOPs by op              conv2d 75.0 %, linear 25.0 %
              FLOPs by module          stem 75.0 %, head 25.0 %
              memory traffic           8.000 MB
                                       compulsory; fused 9.000 MB, unfused 9.500 MB (modelled)
              activation peak          400.0 kB
                                       at aten::relu_ of stem; all results together 700.0 kB
              arithmetic intensity       250 FLOP/B
              precision                fp32

            Tier 2  the least time that it can take on a GPU (roofline)
              GPU                      precision     compute      memory       bound    op by op  limited by
              Fast-GPU 80GB            fp32         100.0 µs    4.000 µs    100.0 µs    100.5 µs  compute
              Old_GPU                  bf16              n/a         n/a         n/a         n/a  no bf16 peak
              op by op                 conv2d 100.0 % on Fast-GPU 80GB

            Tier 3  measured on cpu, batch 2
              latency                  p50 3.000 ms
                                       p95 n/a (59 samples needed)
                                       p99 n/a (299 samples needed)
                                       mean 3.000 ms           min 1.000 ms            max 5.000 ms
              real time                5 Hz yes (beta 0.015)   10 Hz yes (beta 0.030)  30 Hz yes (beta 0.090)
              throughput               666.7 samples/s
              start                    load 120.2 ms           first run 45.00 ms
              runs                     12 to warm up           5 timed
              peak memory              resident 512.5 MiB      CPU tensors 24 MiB
              threads                  2 for operators         1 for BLAS
              tried                    2x1 3.250 ms, 1x1 5.500 ms

              system                   Test CPU, 3.5 GHz | PyTorch 2.10.0 | fp32
                                       4 cores, 15.6 GiB memory, Linux 6.1

            warning OVERSUBSCRIBED: 2 threads on 1 core; use fewer
            """);
  }

  @Test
  void saysWhyAFigureIsMissing() throws IOException {
    assertThat(written(Reports.api()))
        .isEqualTo(
            """
            vendor/model-1  api, no file

            Tier 1  what one forward call needs, whatever it runs on
              n/a (the model runs elsewhere, and its inside cannot be seen)

            Tier 2  the least time that it can take on a GPU (roofline)
              n/a (tier 1 is not known)

            Tier 3  n/a (nothing was timed)

              system                   n/a (not asked for)
            """);
  }

  @Test
  void saysWhyASingleFigureIsMissing() throws IOException {
    ModelProperties none = Reports.unknown(null);
    Measurement measured =
        new Measurement(
            "cuda:0",
            null,
            null,
            0,
            new Samples(new long[0], new long[0], 0),
            1,
            null,
            new Measurement.Peak(null, null, null, null));

    assertThat(written(Reports.with(none, measured)))
        .contains("  parameters               n/a (not known)\n")
        .contains("  arithmetic intensity     n/a (needs FLOPs and traffic)\n")
        .contains("n/a  no FLOPs\n")
        .contains("  latency                  n/a (no timed run)\n")
        .contains("load n/a (not timed)")
        .contains("CUDA n/a (not measured)")
        .contains("  threads                  n/a (not known)\n");
  }

  @Test
  void unavailableFiguresPointToTheirWarning() throws IOException {
    ModelProperties none = Reports.unknown(List.of());
    EfficiencyReport named = Reports.named("m.pt", "parameters cannot be told");
    EfficiencyReport report =
        new EfficiencyReport(
            named.model(),
            named.inputs(),
            named.metadata(),
            none,
            named.tier2(),
            null,
            null,
            named.warnings());

    assertThat(written(report)).contains("  parameters               n/a (see the warnings)\n");
  }

  @Test
  void incompleteFlopsAreALowerBound() throws IOException {
    assertThat(written(Reports.with(Reports.tier1(false), null)))
        .contains(
            """
              FLOPs ≥                  2.000 GFLOP
              MACs ≥                   1.000 GMAC
              not counted              aten::fft_fft2 ×3, 500.0 kB
              FLOPs by op              conv2d 75.0 %, linear 25.0 %
            """)
        .contains("  arithmetic intensity ≥     250 FLOP/B\n");
  }

  @Test
  void microsecondsAreNotZero() throws IOException {
    assertThat(written(Reports.with(Reports.tier1(true), Reports.tier3(3_000, 2_500, 4_000))))
        .contains("p50 3.000 µs", "min 2.500 µs", "max 4.000 µs");
  }

  @Test
  void asciiIsAscii() throws IOException {
    EfficiencyReport report = Reports.with(Reports.tier1(false), Reports.tier3(3_000));

    String text = written(report, new TableReport(false, false));

    assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(text)).isTrue();
    assertThat(text).contains("FLOPs >=", "p50 3.000 us", "aten::fft_fft2 x3");
    assertThat(text).contains("  arithmetic intensity >=    250 FLOP/B\n");
  }

  @Test
  void coloursOnlyPaint() throws IOException {
    String text = written(Reports.full(), new TableReport(true, true));

    assertThat(text).startsWith("\u001b[1mmodels/net.pt\u001b[0m  torchscript");
    assertThat(text).contains("mean 3.000 \u001b[2mms\u001b[0m           min");
    assertThat(text).contains("\u001b[33mwarning OVERSUBSCRIBED");
    assertThat(text.replaceAll("\u001b\\[\\d+m", "")).isEqualTo(written(Reports.full()));
  }

  @Test
  void reportsFromElsewhereCannotSteerTheTerminal() throws IOException {
    EfficiencyReport report = Reports.named("\u001b[2J\u202etp.ten", "a\u0007\u009b31m\nb");

    assertThat(written(report))
        .startsWith("?[2J?tp.ten  torchscript")
        .endsWith("warning UNAVAILABLE: a??31m b\n");
  }

  @Test
  void noLineIsWiderThan100() throws IOException {
    List<OpGroup> ops = new ArrayList<>();
    Map<String, Double> shares = new LinkedHashMap<>();
    for (int i = 0; i < 20; i++) {
      String op = "custom_namespace::an_operator_with_a_long_name_" + i;
      ops.add(new OpGroup(op, "float32", 1_000_000L + i, null, 1L));
      ops.add(new OpGroup(op + "x", "t".repeat(80) + i, 1L, 10L, 1L));
      shares.put(op, 0.05);
    }
    String wide = "word ".repeat(50) + "x".repeat(250);
    EfficiencyReport named = Reports.named("/a/" + "deep/".repeat(60) + "net.pt", wide);
    EfficiencyReport report =
        new EfficiencyReport(
            named.model(),
            List.of(new EfficiencyReport.Input("x".repeat(200), List.of(1L), "float32")),
            named.metadata(),
            new ModelProperties(
                1L,
                1L,
                1L,
                ops,
                List.of(new ModuleCost("m".repeat(200), 1, 10, 10)),
                1L,
                new MemoryTraffic(1L, 1L, 1L, 1L, TrafficModel.UNFUSED),
                new ActivationMemory(1L, 1L, 1L, "o".repeat(200), "m".repeat(200)),
                "p".repeat(200)),
            List.of(
                new EfficiencyReport.Bound(
                    "g".repeat(80), "q".repeat(80), 1e9, 1e9, 1e9, null, 1e9, shares)),
            new Measurement(
                "d".repeat(200),
                1e12,
                1e12,
                Integer.MAX_VALUE,
                named.tier3().samples(),
                Integer.MAX_VALUE,
                new Measurement.Threads(2, 1, Map.of("s".repeat(200), 1.0)),
                new Measurement.Peak(1e12, 1e12, 1e12, 1e12)),
            named.system(),
            named.warnings());

    for (boolean unicode : new boolean[] {true, false}) {
      String text = written(report, new TableReport(false, unicode));

      assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
      assertThat(text)
          .contains("deep/net.pt  torchscript, 1 B\n")
          .containsPattern("and\\s+12\\s+more");
    }
  }

  private static String written(EfficiencyReport report) throws IOException {
    return written(report, new TableReport(false, true));
  }

  private static String written(EfficiencyReport report, TableReport table) throws IOException {
    StringWriter out = new StringWriter();
    table.write(report, out);
    return out.toString();
  }
}
