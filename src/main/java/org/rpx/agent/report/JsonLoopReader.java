package org.rpx.agent.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.rpx.agent.measure.Loop;
import org.rpx.agent.measure.Pace;

/** Reads what was so around each timed run; what follows from the runs is reckoned again. */
final class JsonLoopReader {
  private static final double NS_PER_MS = 1e6;

  private final JsonCursor json;
  private Long floorNs;
  private Long flushed;
  private List<Integer> cpus;
  private Pace pace;
  private int inputSets = 1;

  JsonLoopReader(JsonCursor json) {
    this.json = json;
  }

  /** Whether it was one of the keys read here. */
  boolean read(String key) throws IOException {
    switch (key) {
      case "timer_floor_ns" -> floorNs = json.isNull() ? null : json.count();
      case "cold_cache" -> {
        if (!json.isNull()) json.object(this::cold);
      }
      case "input_sets" -> inputSets = json.required(json.smallCount(1));
      case "cpus" -> cpus = json.isNull() ? null : cpus();
      case "paced" -> pace = json.isNull() ? null : pace();
      case "real_time" -> json.skip();
      default -> {
        return false;
      }
    }
    return true;
  }

  Loop loop() {
    return new Loop(floorNs, flushed, cpus, pace, inputSets);
  }

  private void cold(String key) throws IOException {
    if (key.equals("flushed_bytes")) flushed = json.required(json.count());
    else json.skip();
  }

  private List<Integer> cpus() throws IOException {
    List<Integer> all = new ArrayList<>();
    json.array(none -> all.add(json.required(json.smallCount(0))));
    return List.copyOf(all);
  }

  private Pace pace() throws IOException {
    Double[] read = new Double[2];
    long[][] services = new long[1][];
    json.object(
        key -> {
          switch (key) {
            case "rate_hz" -> read[0] = json.required(json.number());
            case "back_to_back_p50_ms" -> read[1] = json.number();
            case "services_ms" -> services[0] = json.nanoseconds();
            default -> json.skip();
          }
        });
    if (read[0] == null || services[0] == null) throw json.wrong("lacks rate_hz or services_ms");
    try {
      return new Pace(read[0], services[0], read[1] == null ? null : read[1] * NS_PER_MS);
    } catch (IllegalArgumentException e) {
      throw json.wrong("has a rate_hz that cannot be: " + e.getMessage());
    }
  }
}
