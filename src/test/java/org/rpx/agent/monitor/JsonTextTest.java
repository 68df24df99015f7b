package org.rpx.agent.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class JsonTextTest {
  /** Every char, the unpaired surrogates included, comes back from another reader. */
  @Test
  void allTextComesBack() throws Exception {
    StringBuilder all = new StringBuilder();
    for (int c = 0; c <= 0xFFFF; c++) all.append((char) c);
    JsonText json = new JsonText().open('[').value(all.toString()).value("\uD83E\uDD16").close(']');
    JsonNode read = new ObjectMapper().readTree(json.toString().getBytes(StandardCharsets.UTF_8));
    assertThat(read.get(0).textValue()).isEqualTo(all.toString());
    assertThat(read.get(1).textValue()).isEqualTo("\uD83E\uDD16");
  }

  @Test
  void commasNestingAndNull() {
    JsonText json = new JsonText().open('{').field("a", 1L).field("b", null);
    json.name("c").open('[').open('{').close('}').open('[').close(']').value(true).close(']');
    json.field("d", "x").close('}');
    assertThat(json.toString()).isEqualTo("{\"a\":1,\"b\":null,\"c\":[{},[],true],\"d\":\"x\"}");
  }

  @Test
  void aSnapshotAndACycleAreOneLineEach() throws Exception {
    LatencyMonitor monitor =
        LatencyMonitor.named("j").deadline(Duration.ofNanos(50)).stages("a", "b").build();
    long cycle = monitor.begin(1000);
    monitor.mark(0, 1010);
    monitor.end(cycle, 1060);
    monitor.end(cycle, 1070);
    String line = monitor.snapshot().toJson();
    assertThat(line).doesNotContain("\n");
    JsonNode read = new ObjectMapper().readTree(line);
    assertThat(read.get("schema").asText()).isEqualTo("rpx.snapshot/1");
    assertThat(read.at("/since_start/cycle/p99_ns").asLong()).isEqualTo(60);
    assertThat(read.at("/since_start/cycle/mean_ns").asDouble()).isEqualTo(60);
    assertThat(read.at("/since_start/stages/b/max_ns").asLong()).isEqualTo(50);
    assertThat(read.at("/window/misses").asLong()).isEqualTo(1);
    assertThat(read.at("/window/skipped").isNull()).isTrue();
    assertThat(read.at("/window/lateness/p50_ns").isNull()).isTrue();
    assertThat(read.at("/wrong_use/ends_without_begin").asLong()).isEqualTo(1);
    assertThat(read.get("black_box").isNull()).isTrue();
    Cycle one = new Cycle(3, null, 70, 5L, null, 2, 1, 1, Arrays.asList(null, 70L));
    assertThat(one.toJson())
        .isEqualTo(
            "{\"cycle\":3,\"begin_ns\":null,\"duration_ns\":70,\"lateness_ns\":5,"
                + "\"device_ns\":null,\"miss_run\":1,\"misses\":2,\"skipped\":1,"
                + "\"stage_ends_ns\":[null,70]}");
  }
}
