package org.rpx.agent.report;

import static org.rpx.agent.report.JsonStyle.entry;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;

/** A sweep as JSON: every point with its whole report. */
final class SweepJson {
  private SweepJson() {}

  /**
   * Writes {@code sweep}, indented, with a line end at the end.
   *
   * @param out flushed, not closed
   */
  static void write(SweepReport sweep, Writer out) throws IOException {
    try (JsonGenerator json = JsonStyle.generator(out)) {
      json.writeStartObject();
      entry(json, "schema", SweepReport.SCHEMA);
      json.writeArrayFieldStart("points");
      for (SweepReport.Point point : sweep.points()) {
        json.writeStartObject();
        entry(json, "settings", point.settings());
        entry(json, "failure", point.failure());
        json.writeFieldName("report");
        if (point.report() == null) json.writeNull();
        else new JsonReportWriter(json, null).write(point.report());
        json.writeEndObject();
      }
      json.writeEndArray();
      if (!sweep.gates().isEmpty()) JsonReportWriter.gates(json, sweep.gates());
      json.writeEndObject();
    }
    out.write('\n');
    out.flush();
  }
}
