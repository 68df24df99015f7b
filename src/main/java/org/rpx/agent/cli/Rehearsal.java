package org.rpx.agent.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.report.EfficiencyMetadata;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.report.TableReport;

/**
 * Writes a table of made-up samples to nowhere. While LibTorch loads the main thread has nothing to
 * do; what a first report takes (statistics, number formats, tables) is a tenth of a short command.
 */
final class Rehearsal {
  private static final int SAMPLES = 100;

  private Rehearsal() {}

  static void run() {
    long[] starts = new long[SAMPLES];
    long[] durations = new long[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      starts[i] = 2000L * i;
      durations[i] = 1000 + i % 7;
    }
    Measurement measured =
        new Measurement(
            "cpu",
            1.0,
            1.0,
            20,
            new Samples(starts, durations, SAMPLES),
            1,
            new Measurement.Threads(1, 1, Map.of()),
            null,
            Course.UNKNOWN);
    EfficiencyReport report =
        new EfficiencyReport(
            new EfficiencyReport.Model("m.pt", "torchscript", 1L, ""),
            List.of(new Input("x", List.of(1L), "float32")),
            EfficiencyMetadata.builder().build(),
            null,
            List.of(),
            measured,
            null,
            List.of());
    try {
      new TableReport(Terminal.colour(), Terminal.unicode()).write(report, Writer.nullWriter());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
