/**
 * A monitor's figures for Prometheus. Needs io.prometheus:prometheus-metrics-exporter-httpserver.
 */
package org.rpx.agent.prometheus;
