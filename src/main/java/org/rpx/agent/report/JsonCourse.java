package org.rpx.agent.report;

import static org.rpx.agent.report.JsonStyle.entry;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Interval;
import org.rpx.agent.measure.LevelChange;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.PercentileEstimate;
import org.rpx.agent.measure.Percentiles;
import org.rpx.agent.measure.ProcessSpread;

/** How a measurement went, and how sure its percentiles are. */
final class JsonCourse {
  private static final double NS_PER_MS = 1e6;

  private JsonCourse() {}

  static void write(JsonGenerator json, Measurement tier3) throws IOException {
    Course course = tier3.course();
    json.writeObjectFieldStart("course");
    entry(json, "warmup_ended", course.warmUp());
    entry(json, "warmup_ms", course.warmUpMs());
    entry(json, "stopped_by", course.stoppedBy());
    json.writeEndObject();
    json.writeArrayFieldStart("percentiles");
    if (tier3.samples().count() > 0)
      for (PercentileEstimate each : Percentiles.of(tier3.samples()).at(course.percentiles()))
        percentile(json, each);
    json.writeEndArray();
    JsonLoop.write(json, tier3);
    changes(json, tier3.samples().levelChanges());
    if (course.processes().isEmpty()) json.writeNullField("processes");
    else processes(json, course);
  }

  private static void processes(JsonGenerator json, Course course) throws IOException {
    json.writeObjectFieldStart("processes");
    entry(json, "count", course.processes().size());
    json.writeArrayFieldStart("percentiles");
    for (double p : course.percentiles()) {
      ProcessSpread spread = course.spread(p);
      if (spread == null) continue;
      json.writeStartObject();
      entry(json, "p", p);
      entry(json, "ms", ms(spread.center()));
      entry(json, "low_ms", ms(spread.between().low()));
      entry(json, "high_ms", ms(spread.between().high()));
      entry(json, "covers", "processes");
      entry(json, "deviation", spread.deviation());
      entry(json, "range", spread.range());
      entry(json, "within", spread.within());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("each");
    for (List<PercentileEstimate> process : course.processes()) {
      json.writeStartArray();
      for (PercentileEstimate estimate : process) percentile(json, estimate);
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void percentile(JsonGenerator json, PercentileEstimate estimate)
      throws IOException {
    Interval interval = estimate.interval();
    json.writeStartObject();
    entry(json, "p", estimate.p());
    entry(json, "ms", ms(estimate.value()));
    entry(json, "low_ms", interval == null ? null : ms(interval.low()));
    entry(json, "high_ms", interval == null ? null : ms(interval.high()));
    // Another process may differ by more than this one knows of itself.
    entry(json, "covers", "this process");
    entry(json, "samples", estimate.samples());
    entry(json, "effective_samples", estimate.effective());
    entry(json, "reason", estimate.reason());
    json.writeEndObject();
  }

  private static void changes(JsonGenerator json, List<LevelChange> changes) throws IOException {
    if (changes == null) {
      json.writeNullField("changes");
      return;
    }
    json.writeArrayFieldStart("changes");
    for (LevelChange change : changes) {
      json.writeStartObject();
      entry(json, "kind", change.kind().name().toLowerCase(java.util.Locale.ROOT));
      entry(json, "share", change.share());
      entry(json, "from_run", change.fromRun());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static Double ms(Double ns) {
    return ns == null ? null : ns / NS_PER_MS;
  }
}
