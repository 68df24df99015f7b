package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.measure.Measurement.HostMemory;
import org.rpx.agent.measure.Measurement.Peak;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.JsonReport;
import org.rpx.agent.trace.InputSpec;

/** The memory of a measurement, and what it is to be seen beside. */
class MemoryTest {
  private static final double MIB = 1 << 20;
  @TempDir Path folder;

  private static Peak peak(int iterations, Duration duration) {
    Plan plan =
        Plan.defaults()
            .withInputs(List.of(InputSpec.tensor("float32", 2, 3, 16, 16)))
            .withThreads(1)
            .withWarmup(1)
            .withIterations(iterations)
            .withDuration(duration);
    return Rpx.profile(ModelSource.parse("src/test/resources/models/bn_train.pt"), plan)
        .tier3()
        .peak();
  }

  /** 240 float32 parameters, 2 x 8 float32 running statistics and an int64 count: 1032 bytes. */
  @Test
  void countsTheWeightsOnce() {
    Peak peak = peak(3, null);
    assertThat(peak.host().weightsMb()).isCloseTo(1032 / MIB, within(1e-12));
    assertThat(peak.cpuTensorWithWeightsMb())
        .isCloseTo(peak.cpuTensorMb() + 1032 / MIB, within(1e-12));
    // A convolution's output and the normalised one live together: 2 x (2 x 8 x 14 x 14 x 4 bytes).
    assertThat(peak.host().livenessMb()).isCloseTo(25_088 / MIB, within(1e-12));
    assertThat(peak.cpuTensorMb()).isGreaterThanOrEqualTo(12_544 / MIB);
    assertThat(peak.tensorToLiveness())
        .isCloseTo(peak.cpuTensorMb() / (25_088 / MIB), within(1e-9));
  }

  @Test
  void looksAtTheHeapInLongerRunsOnly() {
    HostMemory brief = peak(3, null).host();
    assertThat(brief.jvmHeapMb()).isNull();
    assertThat(brief.noJvmHeap()).contains("0.25 s");
    Peak longer = peak(10_000_000, Duration.ofMillis(400));
    assertThat(longer.host().noJvmHeap()).isNull();
    assertThat(longer.host().jvmHeapMb()).isGreaterThan(0.1);
  }

  @Test
  void comesBackFromAReport() throws IOException {
    Plan plan =
        Plan.defaults()
            .withInputs(List.of(InputSpec.tensor("float32", 2, 4)))
            .withWarmup(1)
            .withIterations(2);
    EfficiencyReport report =
        Rpx.profile(ModelSource.parse("src/test/resources/models/identity.pt"), plan);
    StringWriter json = new StringWriter();
    JsonReport.write(report, json);
    Path file = Files.writeString(folder.resolve("r.json"), json.toString());
    Peak read = JsonReport.read(file).tier3().peak();
    assertThat(read).isEqualTo(report.tier3().peak());
    // Nothing is alive in an identity: there is no ratio to it.
    assertThat(read.tensorToLiveness()).isNull();
  }

  @Test
  void whatIsNotKnownIsNull() {
    Peak alone = new Peak(100.0, 10.0, null, null);
    assertThat(alone.cpuTensorWithWeightsMb()).isNull();
    assertThat(alone.cpuRssWithoutWeightsMb()).isNull();
    assertThat(alone.tensorToLiveness()).isNull();
    Peak both = alone.with(new HostMemory(40.0, 4.0, null, "nobody looked"));
    assertThat(both.cpuTensorWithWeightsMb()).isEqualTo(50);
    assertThat(both.cpuRssWithoutWeightsMb()).isEqualTo(60);
    assertThat(both.tensorToLiveness()).isEqualTo(2.5);
  }
}
