package org.rpx.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RpxJsonTest {
  private static final String CARD =
      """
        "system_card": {
          "gpu_name": "",
          "gpu_memory_gb": 0.0,
          "gpu_count": 1,
          "cpu_name": "Test CPU, 3.5 GHz",
          "ram_gb": 15.6,
          "cuda_version": null,
          "pytorch_version": "2.10.0",
          "python_version": null,
          "precision": "fp32",
          "batch_size": 2,
          "input_resolution": "64x48",
          "os": "Linux 6.1",
          "driver_version": ""
        }
      }
      """;

  @Test
  void writesTheRow() {
    assertThat(RpxJson.rowJson(Reports.full()))
        .isEqualTo(
            """
            {
              "type": "local",
              "params_m": 1.5,
              "flops_g": 2.0,
              "macs_g": 1.0,
              "memory_traffic_gb": 0.008,
              "arithmetic_intensity": 250.0,
              "actmem_gb_fp16": null,
              "latency_ms_per_sample": 3.0,
              "latency_p50_ms": 3.0,
              "latency_p95_ms": 4.8,
              "latency_p99_ms": 4.96,
              "peak_cpu_mb": 512.5,
              "peak_cuda_mb": null,
              "peak_mps_mb": null,
              "roofline_fast_gpu_80gb_ms": 0.1,
              "bottleneck_fast_gpu_80gb": "compute",
            """
                + CARD);
  }

  @Test
  void writesTheComputeCost() {
    assertThat(RpxJson.computeCostJson(Reports.full()))
        .isEqualTo(
            """
            {
              "params_m": 1.5,
              "flops_g": 2.0,
              "macs_g": 1.0,
              "actmem_gb_fp16": null,
              "memory_traffic_gb": 0.008,
              "arithmetic_intensity": 250.0,
              "roofline": {
                "Fast-GPU 80GB": {
                  "compute_ms": 0.1,
                  "memory_ms": 0.004,
                  "latency_ms": 0.1,
                  "bottleneck": "compute"
                }
              },
              "latency_ms_per_sample": 3.0,
              "peak_memory_mb": 512.5,
            """
                + CARD);
  }

  @ParameterizedTest
  @CsvSource({
    "100, 100.0",
    "0, 0.0",
    "0.0001, 0.0001",
    "0.1, 0.1",
    "2.0E-3, 0.002",
    "12345678.5, 12345678.5",
    "1e15, 1000000000000000.0",
    "1e16, 1.0E16",
    "0.00001, 1.0E-5",
    "NaN, ",
    "Infinity, "
  })
  void numbersLookAsPythonWritesThem(double value, String expected) {
    assertThat(JsonStyle.plain(value)).isEqualTo(expected);
  }
}
