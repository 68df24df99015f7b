package org.rpx.agent.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
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
}
