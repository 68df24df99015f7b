/**
 * What a PyTorch model costs to run. Its API is what docs/embedding.md lists; nothing else in these
 * packages is public.
 */
// HdrHistogram has no module name of its own: its name is that of its file. Maven warns of it.
@SuppressWarnings("requires-automatic")
module org.rpx.agent {
  requires com.fasterxml.jackson.databind;
  requires com.github.oshi;
  requires java.management;
  requires java.xml;
  requires jdk.management;
  requires jdk.unsupported; // cli, for signals; javacpp requires it anyway
  requires org.apache.commons.statistics.distribution;
  requires org.bytedeco.javacpp;

  // Each is for one package alone, and whoever uses that one requires it: docs/embedding.md.
  requires static HdrHistogram; // hlog
  requires static info.picocli; // cli
  requires static io.prometheus.metrics.config; // prometheus, and the next three
  requires static io.prometheus.metrics.exporter.httpserver;
  requires static io.prometheus.metrics.model;
  requires static io.prometheus.writer.text;
  requires static jdk.jfr; // monitor: a runtime may be without, and then no cycle is an event

  exports org.rpx.agent;
  exports org.rpx.agent.arrays;
  exports org.rpx.agent.cli;
  exports org.rpx.agent.elf;
  exports org.rpx.agent.engine;
  exports org.rpx.agent.exported;
  exports org.rpx.agent.gate;
  exports org.rpx.agent.hlog;
  exports org.rpx.agent.host;
  exports org.rpx.agent.measure;
  exports org.rpx.agent.monitor;
  exports org.rpx.agent.prometheus;
  exports org.rpx.agent.report;
  exports org.rpx.agent.tier1;
  exports org.rpx.agent.tier2;
  exports org.rpx.agent.trace;

  // picocli makes the commands and sets their options.
  opens org.rpx.agent.cli to
      info.picocli;
}
