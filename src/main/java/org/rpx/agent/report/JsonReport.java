package org.rpx.agent.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reports as JSON, and the report of one model back: shape {@value EfficiencyReport#SCHEMA}, which
 * docs/report.md describes key by key. Numbers are not rounded, save those of {@code row}; unknown
 * is null.
 */
public final class JsonReport {
  private JsonReport() {}

  /**
   * Writes {@code report}, indented, with a line end at the end. Samples are written one by one, so
   * that their number costs no memory.
   *
   * @param out flushed, not closed
   * @throws IOException if {@code out} fails
   */
  public static void write(EfficiencyReport report, Writer out) throws IOException {
    write(report, null, out);
  }

  /**
   * The same, with the samples in a file that was written before.
   *
   * @param samples that file; null to write them here
   */
  public static void write(EfficiencyReport report, SamplesFile samples, Writer out)
      throws IOException {
    try (JsonGenerator json = JsonStyle.generator(out)) {
      new JsonReportWriter(json, samples).write(report);
    }
    out.write('\n');
    out.flush();
  }

  /**
   * Writes every point of a sweep with its whole report: shape {@value SweepReport#SCHEMA}.
   *
   * @param out flushed, not closed
   * @throws IOException if {@code out} fails
   */
  public static void write(SweepReport sweep, Writer out) throws IOException {
    SweepJson.write(sweep, out);
  }

  /**
   * Writes a comparison: shape {@value ComparisonReport#SCHEMA}.
   *
   * @param out flushed, not closed
   * @throws IOException if {@code out} fails
   */
  public static void write(ComparisonReport comparison, Writer out) throws IOException {
    ComparisonJson.write(comparison, out);
  }

  /**
   * Reads a report that {@link #write} wrote. Samples come back to the nanosecond (up to 13 days),
   * and what follows from them is reckoned again; figures of the row come back as they stand there.
   * Unknown keys are passed over. Samples that lie in a file beside this one are read from there.
   * Memory is bounded whatever the files hold.
   *
   * @param file of UTF-8, UTF-16 or UTF-32
   * @throws IllegalArgumentException if the file holds no such report, naming the file and the key
   * @throws IOException if the file cannot be read
   */
  public static EfficiencyReport read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      Path folder = file.toAbsolutePath().getParent();
      return JsonReportReader.read(file.toString(), in, folder);
    }
  }
}
