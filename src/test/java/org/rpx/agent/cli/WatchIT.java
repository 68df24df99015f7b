package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.monitor.LatencyMonitor;

class WatchIT {
  @TempDir private Path folder;

  @Test
  void aRunningLoopAndAClosedOne() {
    Path ring = folder.resolve("rpx-loop.ring");
    try (LatencyMonitor monitor =
        LatencyMonitor.named("loop").stages("a", "b").blackBox(folder, 16).build()) {
      for (int i = 0; i < 20; i++) monitor.record(3_000_000);
      Agent.Result running = new Agent(folder).run("watch", ring.toString());
      assertThat(running.exit()).as(running.err()).isZero();
      assertThat(running.err()).isEmpty();
      assertThat(running.out())
          .contains("running", "cycle 20; the last 16:")
          .containsPattern("cycle +3.0000 +too few")
          .doesNotContain("\033");
    }
    assertThat(new Agent(folder).run("watch", ring.toString()).out()).contains("closed");
    assertThat(new Agent(folder).run("watch", ring.toString(), "--json").out().lines())
        .hasSize(16)
        .first()
        .asString()
        .startsWith("{\"cycle\":5,\"begin_ns\":null,\"duration_ns\":3000000,");
    Agent.Result kept = new Agent(folder).run("replay", ring.toString(), "--gate", "p50_ms<=3");
    assertThat(kept.exit()).as(kept.err()).isZero();
    assertThat(kept.out()).containsPattern("whole cycle +n/a +3.000 ms").contains("PASSED");
    assertThat(new Agent(folder).run("replay", ring.toString(), "--gate", "p50_ms<=2.9").exit())
        .isEqualTo(1);
  }

  @Test
  void whatIsNoneIsOneLine() throws Exception {
    Path other = Files.writeString(folder.resolve("other.ring"), "x".repeat(5000));
    Agent.Result wrong = new Agent(folder).run("watch", other.toString());
    assertThat(wrong.exit()).isEqualTo(4);
    assertThat(wrong.errorLines())
        .containsExactly(
            "rpx-agent: " + other + " is no black box of rpx-agent: name a file rpx-NAME.ring");
    Agent.Result none = new Agent(folder).run("watch", "no-such-monitor");
    assertThat(none.exit()).isEqualTo(2);
    assertThat(none.errorLines()).hasSize(1);
    assertThat(none.err()).contains("no black box \"no-such-monitor\" in ");
  }
}
