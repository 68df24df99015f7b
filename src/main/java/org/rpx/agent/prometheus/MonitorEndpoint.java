package org.rpx.agent.prometheus;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import org.rpx.agent.monitor.LatencyMonitor;

/** An HTTP endpoint, {@code /metrics}, that Prometheus scrapes. It has threads of its own. */
public final class MonitorEndpoint implements AutoCloseable {
  private final HTTPServer server;

  private MonitorEndpoint(HTTPServer server) {
    this.server = server;
  }

  /**
   * Serves this machine alone, on the loopback address.
   *
   * @param port 0 for any that is free
   * @throws IOException that names the port, where it is taken
   */
  public static MonitorEndpoint start(int port, LatencyMonitor... monitors) throws IOException {
    return start(InetAddress.getLoopbackAddress(), port, monitors);
  }

  /** Serves whoever reaches that address. */
  public static MonitorEndpoint start(InetAddress address, int port, LatencyMonitor... monitors)
      throws IOException {
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(new MonitorMetrics(monitors));
    try {
      return new MonitorEndpoint(
          HTTPServer.builder().inetAddress(address).port(port).registry(registry).buildAndStart());
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on " + address.getHostAddress() + ":" + port + ": " + e.getMessage(), e);
    }
  }

  /** The port that it listens on. */
  public int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    server.close();
  }
}
