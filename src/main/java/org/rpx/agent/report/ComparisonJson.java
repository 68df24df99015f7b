package org.rpx.agent.report;

import static org.rpx.agent.report.JsonStyle.entry;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import org.rpx.agent.measure.Difference;
import org.rpx.agent.measure.Interval;

/** A comparison as JSON. */
final class ComparisonJson {
  private ComparisonJson() {}

  /**
   * Writes it, indented, with a line end at the end.
   *
   * @param out flushed, not closed
   */
  static void write(ComparisonReport report, Writer out) throws IOException {
    try (JsonGenerator json = JsonStyle.generator(out)) {
      json.writeStartObject();
      entry(json, "schema", ComparisonReport.SCHEMA);
      entry(json, "method", report.method());
      entry(json, "first", report.first());
      json.writeArrayFieldStart("others");
      for (ComparisonReport.Compared other : report.others()) {
        json.writeStartObject();
        entry(json, "name", other.name());
        json.writeArrayFieldStart("figures");
        for (ComparisonReport.Row row : other.rows()) row(json, row);
        json.writeEndArray();
        entry(json, "unlike", other.unlike());
        entry(json, "notes", other.notes());
        JsonReportWriter.warnings(json, other.warnings());
        json.writeEndObject();
      }
      json.writeEndArray();
      if (!report.gates().isEmpty()) JsonReportWriter.gates(json, report.gates());
      json.writeEndObject();
    }
    out.write('\n');
    out.flush();
  }

  private static void row(JsonGenerator json, ComparisonReport.Row row) throws IOException {
    Difference difference = row.difference();
    Interval interval = difference.interval();
    json.writeStartObject();
    entry(json, "figure", row.figure());
    entry(json, "first", row.first());
    entry(json, "second", row.second());
    Interval of = row.interval();
    entry(json, "second_low", of == null ? null : of.low());
    entry(json, "second_high", of == null ? null : of.high());
    entry(json, "change", difference.share());
    entry(json, "low", interval == null ? null : interval.low());
    entry(json, "high", interval == null ? null : interval.high());
    entry(json, "confidence", difference.confidence());
    entry(json, "verdict", difference.verdict().name());
    entry(json, "reason", difference.reason());
    entry(json, "samples", row.samples());
    json.writeEndObject();
  }
}
