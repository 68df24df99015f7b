package org.rpx.agent.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.rpx.agent.monitor.LatencyMonitor;

class MonitorMetricsTest {
  private final LatencyMonitor monitor =
      LatencyMonitor.named("arm").deadline(Duration.ofMillis(1)).stages("see", "move").build();

  private void record() {
    for (int i = 1; i <= 4; i++) monitor.record(i * 500_000);
    monitor.record(-1);
  }

  @Test
  void theTextHasTheMonitorsFigures() {
    record();
    String text = new MonitorMetrics(monitor).text();
    assertThat(text.lines())
        .contains(
            "# TYPE rpx_cycle_seconds summary",
            "rpx_cycle_seconds_count{monitor=\"arm\"} 4",
            "rpx_cycle_seconds_sum{monitor=\"arm\"} 0.005",
            "rpx_stage_seconds_count{monitor=\"arm\",stage=\"see\"} 0",
            "# TYPE rpx_deadline_misses_total counter",
            "rpx_deadline_misses_total{monitor=\"arm\"} 2.0",
            "rpx_wrong_use_total{monitor=\"arm\"} 1.0",
            "rpx_cycle_longest_seconds{monitor=\"arm\"} 0.002",
            "rpx_deadline_miss_run_longest{monitor=\"arm\"} 2.0");
    // The second of four is 1 ms, within 1/2048.
    String median =
        text.lines().filter(l -> l.contains("quantile=\"0.5\"")).findFirst().orElseThrow();
    assertThat(Double.parseDouble(median.substring(median.lastIndexOf(' '))))
        .isBetween(0.001 * (1 - 1.0 / 2048), 0.001 * (1 + 1.0 / 2048));
    // No period, so neither is known.
    assertThat(text).doesNotContain("rpx_skipped_releases", "rpx_begin_after_release");
  }

  @Test
  void twoScrapesDoNotAddUp() {
    record();
    MonitorMetrics metrics = new MonitorMetrics(monitor, LatencyMonitor.named("leg").build());
    metrics.text();
    assertThat(metrics.text().lines().filter(l -> l.startsWith("rpx_cycle_seconds_count")))
        .containsExactly(
            "rpx_cycle_seconds_count{monitor=\"arm\"} 4",
            "rpx_cycle_seconds_count{monitor=\"leg\"} 0");
  }

  @Test
  void theEndpointServesItOnLoopback() throws Exception {
    record();
    try (MonitorEndpoint endpoint = MonitorEndpoint.start(0, monitor)) {
      URI address = URI.create("http://localhost:" + endpoint.port() + "/metrics");
      HttpResponse<String> response =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).contains("rpx_cycle_seconds_count{monitor=\"arm\"} 4");
      assertThatThrownBy(() -> MonitorEndpoint.start(endpoint.port(), monitor))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(":" + endpoint.port() + ": ");
    }
  }
}
