package org.rpx.agent.host;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A figure that rose and fell during a stretch, from samples at regular times. The five values are
 * null unless the state is ok; samples at which the figure could not be read are left out.
 *
 * @param name what it is, as {@code cpu.clock}
 * @param unit of the values
 * @param source the file or the library that tells it
 * @param state ok where at least one sample could be read
 * @param reason why there are no values; null where there are
 * @param start the first
 * @param end the last
 * @param min the least
 * @param mean the arithmetic mean
 * @param max the greatest
 * @param samples how many could be read
 */
public record Series(
    String name,
    String unit,
    String source,
    State state,
    String reason,
    Double start,
    Double end,
    Double min,
    Double mean,
    Double max,
    int samples) {

  /** {@code unit}, {@code state}, {@code source}, and the values or the reason. */
  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("unit", unit);
    map.put("state", state.toString());
    map.put("source", source);
    if (reason != null) {
      map.put("reason", reason);
      return map;
    }
    map.put("start", start);
    map.put("end", end);
    map.put("min", min);
    map.put("mean", mean);
    map.put("max", max);
    map.put("samples", samples);
    return map;
  }

  /** Gathers the readings of one figure. */
  static final class Builder {
    private Reading last;
    private Reading lastGood;
    private Double start;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private double sum;
    private int samples;

    void add(Reading reading) {
      last = reading;
      Double value = reading.number();
      if (value != null) {
        lastGood = reading;
        start = start == null ? value : start;
        min = Math.min(min, value);
        max = Math.max(max, value);
        sum += value;
        samples++;
      }
    }

    /** May be called once something was added. */
    Series build() {
      if (lastGood == null) {
        return new Series(
            last.name(),
            last.unit(),
            last.source(),
            last.state(),
            last.reason(),
            null,
            null,
            null,
            null,
            null,
            0);
      }
      return new Series(
          last.name(),
          last.unit(),
          lastGood.source(),
          State.OK,
          null,
          start,
          lastGood.number(),
          min,
          sum / samples,
          max,
          samples);
    }
  }
}
