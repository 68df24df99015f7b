package org.rpx.agent.hlog;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.rpx.agent.monitor.BucketCounts;
import org.rpx.agent.monitor.LatencyMonitor;

/**
 * Appends what a monitor counted, interval by interval, to a log that HdrHistogram's tools read: a
 * histogram of nanoseconds for the cycle, each stage, the jitter and the device, by tag. Call it
 * from a thread that is not the loop's.
 */
public final class HistogramLog implements AutoCloseable {
  /** A monitor's buckets, so that each count lands in the bucket that it came from. */
  private static final int DIGITS = 3;

  private static final long HIGHEST = 1L << 40;

  private final LatencyMonitor monitor;
  private final Path path;
  private final PrintStream out;
  private final HistogramLogWriter writer;
  private final Map<String, Histogram> before = new HashMap<>();
  private long intervalStart;

  /**
   * Starts the log; a file that is there is replaced.
   *
   * @throws IOException that names the file
   */
  public HistogramLog(LatencyMonitor monitor, Path path) throws IOException {
    this.monitor = monitor;
    this.path = path;
    try {
      out = new PrintStream(Files.newOutputStream(path), false, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IOException("cannot write " + path + ": " + e, e);
    }
    writer = new HistogramLogWriter(out);
    intervalStart = System.currentTimeMillis();
    // Intervals say milliseconds since 1970, whatever the base.
    writer.outputLogFormatVersion();
    writer.outputComment("[Nanoseconds of the monitor " + monitor.name() + "]");
    writer.outputStartTime(intervalStart);
    writer.outputLegend();
  }

  /**
   * Writes the interval since the last call, or since the start. What counted nothing has no line.
   *
   * @throws IOException that names the file, where it could not be written
   */
  public void append() throws IOException {
    long now = System.currentTimeMillis();
    for (BucketCounts counts : monitor.buckets()) {
      Histogram all = new Histogram(HIGHEST, DIGITS);
      for (int i = 0; i < counts.nanos().length; i++) {
        all.recordValueWithCount(counts.nanos()[i], counts.counts()[i]);
      }
      Histogram interval = all.copy();
      Histogram earlier = before.put(counts.name(), all);
      if (earlier != null) interval.subtract(earlier);
      if (interval.getTotalCount() == 0) continue;
      interval.setStartTimeStamp(intervalStart);
      interval.setEndTimeStamp(now);
      // Tags end at a comma or a blank.
      interval.setTag(counts.name().replaceAll("[,\\s]", "_"));
      writer.outputIntervalHistogram(interval);
    }
    intervalStart = now;
    out.flush();
    if (out.checkError()) throw new IOException("cannot write " + path + ": is there room?");
  }

  /** Writes the last interval and closes the file. */
  @Override
  public void close() throws IOException {
    append();
    out.close();
  }
}
