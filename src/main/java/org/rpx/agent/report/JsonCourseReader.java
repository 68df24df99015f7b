package org.rpx.agent.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Interval;
import org.rpx.agent.measure.PercentileEstimate;

/** Reads of how a measurement went what its samples do not tell. */
final class JsonCourseReader {
  private static final double NS_PER_MS = 1e6;

  private final JsonCursor json;
  private final JsonLoopReader loop;
  private final String[] texts = new String[2];
  private Double warmUpMs;
  private final List<PercentileEstimate> own = new ArrayList<>();
  private final List<List<PercentileEstimate>> processes = new ArrayList<>();

  JsonCourseReader(JsonCursor json) {
    this.json = json;
    loop = new JsonLoopReader(json);
  }

  /** Whether it was one of the keys read here. */
  boolean read(String key) throws IOException {
    switch (key) {
      case "course" -> json.object(this::course);
      case "percentiles" -> estimates(own);
      case "processes" -> {
        if (!json.isNull()) json.object(this::processes);
      }
      default -> {
        return loop.read(key);
      }
    }
    return true;
  }

  Course course() {
    List<Double> asked = own.stream().map(PercentileEstimate::p).toList();
    return new Course(
        texts[0],
        warmUpMs,
        texts[1],
        asked.isEmpty() ? Course.PERCENTILES : asked,
        processes,
        loop.loop());
  }

  private void course(String key) throws IOException {
    switch (key) {
      case "warmup_ended" -> texts[0] = json.text();
      case "warmup_ms" -> warmUpMs = json.number();
      case "stopped_by" -> texts[1] = json.text();
      default -> json.skip();
    }
  }

  private void processes(String key) throws IOException {
    if (!key.equals("each")) {
      json.skip();
      return;
    }
    json.array(
        none -> {
          List<PercentileEstimate> one = new ArrayList<>();
          estimates(one);
          processes.add(one);
        });
  }

  private void estimates(List<PercentileEstimate> into) throws IOException {
    json.array(none -> into.add(estimate()));
  }

  private PercentileEstimate estimate() throws IOException {
    Double[] ms = new Double[5];
    Integer[] samples = new Integer[1];
    json.object(
        key -> {
          switch (key) {
            case "p" -> ms[0] = json.required(json.number());
            case "ms" -> ms[1] = json.number();
            case "low_ms" -> ms[2] = json.number();
            case "high_ms" -> ms[3] = json.number();
            case "effective_samples" -> ms[4] = json.number();
            case "samples" -> samples[0] = json.smallCount(0);
            default -> json.skip();
          }
        });
    if (ms[0] == null || !(ms[0] > 0 && ms[0] < 100)) throw json.wrong("has no p in 0 to 100");
    boolean interval = ms[2] != null && ms[3] != null;
    if (interval && ms[2] > ms[3]) throw json.wrong("has an interval whose ends are exchanged");
    return new PercentileEstimate(
        ms[0],
        ms[1] == null ? null : ms[1] * NS_PER_MS,
        interval ? new Interval(ms[2] * NS_PER_MS, ms[3] * NS_PER_MS) : null,
        samples[0] == null ? 0 : samples[0],
        ms[4] == null ? 0 : ms[4],
        null);
  }
}
