package org.rpx.agent.hlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.monitor.LatencyMonitor;

class HistogramLogTest {
  @TempDir private Path folder;

  /** Against HdrHistogram's own recording of the same samples: equal, bucket by bucket. */
  @Test
  void theLogHoldsWhatHdrHistogramWouldHaveRecorded() throws IOException {
    LatencyMonitor monitor = LatencyMonitor.named("loop").stages("see, look", "act").build();
    Path file = folder.resolve("loop.hlog");
    Random random = new Random(5);
    List<Histogram> own = new ArrayList<>();
    try (HistogramLog log = new HistogramLog(monitor, file)) {
      for (int interval = 0; interval < 3; interval++) {
        Histogram expected = new Histogram(1L << 40, 3);
        for (int i = 0; i < 1000; i++) {
          long nanos = (long) Math.pow(10, 1 + 10 * random.nextDouble());
          monitor.record(nanos);
          expected.recordValue(nanos);
        }
        own.add(expected);
        log.append();
      }
    }
    HistogramLogReader reader = new HistogramLogReader(file.toFile());
    for (Histogram expected : own) {
      Histogram read = (Histogram) reader.nextIntervalHistogram();
      assertThat(read.getTag()).isEqualTo("cycle");
      assertThat(read.getTotalCount()).isEqualTo(1000);
      for (double p : new double[] {1, 50, 95, 99, 99.9, 100}) {
        assertThat(read.getValueAtPercentile(p)).isEqualTo(expected.getValueAtPercentile(p));
      }
    }
    // The last interval, which close wrote, had nothing in it.
    assertThat(reader.nextIntervalHistogram()).isNull();
  }

  @Test
  void stagesAreTagged() throws IOException {
    LatencyMonitor monitor = LatencyMonitor.named("loop").stages("see, look", "act").build();
    Path file = folder.resolve("loop.hlog");
    try (HistogramLog log = new HistogramLog(monitor, file)) {
      long cycle = monitor.begin();
      monitor.mark(0);
      monitor.end(cycle);
    }
    HistogramLogReader reader = new HistogramLogReader(file.toFile());
    String[] tags = new String[3];
    for (int i = 0; i < 3; i++) tags[i] = reader.nextIntervalHistogram().getTag();
    assertThat(Arrays.asList(tags)).containsExactly("cycle", "see__look", "act");
    assertThat(reader.nextIntervalHistogram()).isNull();
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    LatencyMonitor monitor = LatencyMonitor.named("loop").build();
    Path file = folder.resolve("none/loop.hlog");
    assertThatThrownBy(() -> new HistogramLog(monitor, file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot write " + file);
  }
}
