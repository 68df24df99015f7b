package org.rpx.agent.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.report.ComparisonReport;
import org.rpx.agent.report.CsvReport;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.JsonReport;
import org.rpx.agent.report.MarkdownReport;
import org.rpx.agent.report.RpxJson;
import org.rpx.agent.report.SamplesFile;
import org.rpx.agent.report.SweepReport;
import org.rpx.agent.report.TableReport;
import picocli.CommandLine.Option;

/** Where a report goes, and in which form. */
final class Output {
  /** Forms on stdout. */
  enum Format {
    table,
    json,
    csv,
    markdown,
    rpx_row,
    rpx_result
  }

  @Option(
      names = "--format",
      paramLabel = "FORM",
      converter = FormatConverter.class,
      description = "On stdout: table (default), json, csv, markdown, rpx-row or rpx-result.")
  private Format format = Format.table;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the whole report to FILE too; - for stdout instead.")
  private String json;

  @Option(names = "--quiet", description = "No progress.")
  boolean quiet;

  /** Reads a form's name. */
  static final class FormatConverter implements picocli.CommandLine.ITypeConverter<Format> {
    @Override
    public Format convert(String text) {
      for (Format f : Format.values()) if (f.name().equals(text.replace('-', '_'))) return f;
      throw new picocli.CommandLine.TypeConversionException(
          "no form \"" + text + "\": table, json, csv, markdown, rpx-row or rpx-result");
    }
  }

  /** Finds out before a long measurement whether the report can be written after it. */
  void check() {
    if (toFile()) file().check();
  }

  boolean isTable() {
    return format == Format.table && !"-".equals(json);
  }

  /** Writes the report: to the file, whole or not at all, and to stdout. */
  void write(EfficiencyReport report) throws IOException {
    if (toFile()) {
      SamplesFile samples = samples(report);
      file().write(out -> text(report, samples, out));
    }
    Format form = "-".equals(json) ? Format.json : format;
    try {
      print(report, form, Terminal.out(form == Format.table));
    } catch (IOException e) {
      throw new IOException("stdout cannot be written: " + reason(e), e);
    }
  }

  /** Writes a sweep, likewise. */
  void write(SweepReport sweep) throws IOException {
    if (toFile()) {
      file()
          .write(
              out -> {
                Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
                JsonReport.write(sweep, writer);
                writer.flush();
              });
    }
    Format form = "-".equals(json) ? Format.json : format;
    Writer out = Terminal.out(form == Format.table);
    switch (form) {
      case table -> new TableReport(false, Terminal.unicode()).write(sweep, out);
      case markdown -> MarkdownReport.write(sweep, out);
      case json -> JsonReport.write(sweep, out);
      default ->
          throw new IllegalArgumentException(
              "a sweep has the forms table, json and markdown (--format)");
    }
    out.flush();
  }

  /** Writes a comparison, likewise. */
  void write(ComparisonReport comparison) throws IOException {
    if (toFile()) {
      file()
          .write(
              out -> {
                Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
                JsonReport.write(comparison, writer);
                writer.flush();
              });
    }
    Format form = "-".equals(json) ? Format.json : format;
    Writer out = Terminal.out(form == Format.table);
    switch (form) {
      case table -> new TableReport(false, Terminal.unicode()).write(comparison, out);
      case markdown -> MarkdownReport.write(comparison, out);
      case json -> JsonReport.write(comparison, out);
      default ->
          throw new IllegalArgumentException(
              "a comparison has the forms table, json and markdown (--format)");
    }
    out.flush();
  }

  private static void print(EfficiencyReport report, Format form, Writer out) throws IOException {
    switch (form) {
      case table -> new TableReport(Terminal.colour(), Terminal.unicode()).write(report, out);
      case json -> JsonReport.write(report, out);
      case csv -> CsvReport.write(report, out);
      case markdown -> MarkdownReport.write(report, out);
      case rpx_row -> out.write(RpxJson.rowJson(report));
      case rpx_result -> out.write(RpxJson.computeCostJson(report));
    }
    out.flush();
  }

  /** Many samples go beside the report, and there first: it names what is there. Else null. */
  private SamplesFile samples(EfficiencyReport report) {
    Measurement timed = report.tier3();
    if (timed == null || timed.samples().count() <= SamplesFile.MOST_INLINE) return null;
    String name = SamplesFile.nameBeside(Path.of(json));
    long[] crc = new long[1];
    new WholeFile(Path.of(json).resolveSibling(name), "--json")
        .write(out -> crc[0] = SamplesFile.write(timed.samples(), out));
    return new SamplesFile(name, crc[0]);
  }

  private static void text(EfficiencyReport report, SamplesFile samples, OutputStream out)
      throws IOException {
    Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    JsonReport.write(report, samples, writer);
    writer.flush();
  }

  private boolean toFile() {
    return json != null && !json.equals("-");
  }

  private WholeFile file() {
    return new WholeFile(Path.of(json), "--json");
  }

  /** Why a file could not be read or written, in words. */
  static String reason(Exception e) {
    if (e instanceof NoSuchFileException) return "no such file or folder";
    if (e instanceof AccessDeniedException) return "permission denied";
    if (e instanceof FileSystemException f && f.getReason() != null) return f.getReason();
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
