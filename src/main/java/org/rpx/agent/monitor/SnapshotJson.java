package org.rpx.agent.monitor;

/** A snapshot as one line of JSON; null for what is unknown. */
final class SnapshotJson {
  private final JsonText json = new JsonText();

  private SnapshotJson() {}

  static String of(MonitorSnapshot snapshot) {
    SnapshotJson writer = new SnapshotJson();
    writer.write(snapshot);
    return writer.json.toString();
  }

  private void write(MonitorSnapshot s) {
    json.open('{').field("schema", "rpx.snapshot/1").field("monitor", s.name());
    json.field("period_ns", s.periodNanos()).field("deadline_ns", s.deadlineNanos());
    json.field("quantile_error", MonitorSnapshot.QUANTILE_ERROR).field("current", s.current());
    span("since_start", s, s.sinceStart());
    span("window", s, s.window());
    WrongUse wrong = s.wrongUse();
    json.name("wrong_use").open('{').field("begins_without_end", wrong.beginsWithoutEnd());
    json.field("ends_without_begin", wrong.endsWithoutBegin());
    json.field("marks_without_begin", wrong.marksWithoutBegin());
    json.field("marks_out_of_order", wrong.marksOutOfOrder());
    json.field("other_threads", wrong.otherThreads()).field("bad_values", wrong.badValues());
    json.close('}').name("black_box");
    box(s.blackBox());
    json.close('}');
  }

  private void span(String name, MonitorSnapshot s, SpanFigures span) {
    json.name(name).open('{').field("from", span.from().toString());
    json.field("to", span.to().toString());
    json.field("misses", span.misses()).field("longest_miss_run", span.longestMissRun());
    json.field("skipped", span.skipped()).field("extra", span.extra());
    figures("cycle", span.whole());
    figures("lateness", span.lateness());
    figures("device", span.device());
    json.name("stages").open('{');
    for (int i = 0; i < s.stages().size(); i++) figures(s.stages().get(i), span.stages().get(i));
    json.close('}').close('}');
  }

  private void figures(String name, LatencyFigures f) {
    json.name(name).open('{').field("count", f.count()).field("min_ns", f.min());
    json.field("p50_ns", f.p50()).field("p95_ns", f.p95()).field("p99_ns", f.p99());
    json.field("p999_ns", f.p999()).field("max_ns", f.max()).field("mean_ns", f.mean());
    json.close('}');
  }

  private void box(BlackBoxState box) {
    if (box == null) {
      json.value(null);
      return;
    }
    json.open('{').field("path", box.path().toString()).field("recording", box.recording());
    json.field("problem", box.problem()).field("miss_reports", box.missReports());
    json.field("misses_unreported", box.missesUnreported()).close('}');
  }
}
