package org.rpx.agent.report;

/** The JSON of two of {@link Reports}, key by key. */
final class ReportGoldens {
  /** {@link Reports#full()}. */
  static final String FULL =
      """
      {
        "schema": "rpx-agent/1",
        "model": {
          "path": "models/net.pt",
          "format": "torchscript",
          "bytes": 6012345,
          "sha256": "ab12"
        },
        "inputs": [
          {
            "name": "image",
            "shape": [2, 3, 48, 64],
            "dtype": "float32",
            "values": "seeded uniform"
          },
          {
            "name": "scale",
            "shape": [],
            "dtype": "float32",
            "values": "fill 0.5"
          }
        ],
        "row": {
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
        },
        "tier1": {
          "params": 1500000,
          "trainable_params": 1000000,
          "buffers": 250,
          "flops": 2000000000,
          "macs": 1000000000,
          "flops_complete": true,
          "flops_by_op": {
            "aten::conv2d": 1500000000,
            "aten::linear": 500000000
          },
          "flops_by_dtype": {
            "float32": 2000000000
          },
          "uncounted_ops": {},
          "elementwise": null,
          "traffic": {
            "compulsory_bytes": 8000000,
            "fused_bytes": 9000000,
            "unfused_bytes": 9500000,
            "rpx_bytes": 18000000,
            "used": "compulsory"
          },
          "activations": {
            "liveness_peak_bytes": 400000,
            "liveness_peak_fp16_bytes": 200000,
            "total_output_bytes": 700000,
            "peak_op": "aten::relu_",
            "peak_module": "stem"
          },
          "arithmetic_intensity": 250.0,
          "precision": "fp32",
          "ops": [
            {"op": "aten::conv2d", "dtype": "float32", "calls": 3, "flops": 1500000000, "bytes": 6000000},
            {"op": "aten::relu_", "dtype": "float32", "calls": 1, "flops": 0, "bytes": 1000000},
            {"op": "aten::linear", "dtype": "float32", "calls": 1, "flops": 500000000, "bytes": 2500000}
          ],
          "modules": [
            {"path": "", "calls": 5, "flops": 2000000000, "bytes": 9500000},
            {"path": "stem", "calls": 4, "flops": 1500000000, "bytes": 7000000},
            {"path": "stem.0", "calls": 3, "flops": 1500000000, "bytes": 6000000},
            {"path": "head", "calls": 1, "flops": 500000000, "bytes": 2500000}
          ]
        },
        "tier2": [
          {
            "gpu": "Fast-GPU 80GB",
            "precision": "fp32",
            "compute_ms": 0.1,
            "memory_ms": 0.004,
            "latency_ms": 0.1,
            "bottleneck": "compute",
            "op_by_op_ms": 0.1005,
            "share_by_op": {
              "aten::conv2d": 1.0
            }
          },
          {
            "gpu": "Old_GPU",
            "precision": "bf16",
            "compute_ms": null,
            "memory_ms": null,
            "latency_ms": null,
            "bottleneck": null,
            "op_by_op_ms": null,
            "share_by_op": null
          }
        ],
        "tier3": {
          "device": "cpu",
          "batch": 2,
          "load_ms": 120.25,
          "first_run_ms": 45.0,
          "warmup_runs": 12,
          "samples": 5,
          "p50_ms": 3.0,
          "p95_ms": null,
          "p99_ms": null,
          "mean_ms": 3.0,
          "min_ms": 1.0,
          "max_ms": 5.0,
          "throughput_per_s": 666.6666666666666,
          "course": {
            "warmup_ended": null,
            "warmup_ms": null,
            "stopped_by": null
          },
          "percentiles": [
            {
              "p": 50.0,
              "ms": 3.0,
              "low_ms": null,
              "high_ms": null,
              "covers": "this process",
              "samples": 5,
              "effective_samples": 5.0,
              "reason": "p50 needs 6 samples, has 5; run longer"
            },
            {
              "p": 95.0,
              "ms": null,
              "low_ms": null,
              "high_ms": null,
              "covers": "this process",
              "samples": 5,
              "effective_samples": 5.0,
              "reason": "p95 needs 59 samples, has 5; run longer"
            },
            {
              "p": 99.0,
              "ms": null,
              "low_ms": null,
              "high_ms": null,
              "covers": "this process",
              "samples": 5,
              "effective_samples": 5.0,
              "reason": "p99 needs 299 samples, has 5; run longer"
            }
          ],
          "timer_floor_ns": null,
          "input_sets": 1,
          "cold_cache": null,
          "cpus": null,
          "real_time": [
            {
              "hz": 5.0,
              "beta": 0.015,
              "real_time": true
            },
            {
              "hz": 10.0,
              "beta": 0.03,
              "real_time": true
            },
            {
              "hz": 30.0,
              "beta": 0.09,
              "real_time": true
            }
          ],
          "paced": null,
          "changes": null,
          "processes": null,
          "samples_ms": [
            2, 4, 3, 1, 5
          ],
          "starts_ms": [
            0, 2, 6, 9, 10
          ],
          "peak": {
            "cpu_rss_mb": 512.5,
            "cpu_tensor_mb": 24.0,
            "cuda_mb": null,
            "mps_mb": null,
            "device": null,
            "weights_mb": null,
            "cpu_tensor_with_weights_mb": null,
            "cpu_rss_without_weights_mb": null,
            "liveness_mb": null,
            "tensor_to_liveness": null,
            "jvm_heap_mb": null,
            "jvm_heap_reason": null
          },
          "threads": {
            "operators": 2,
            "blas": 1,
            "tried": {
              "2x1": 3.25,
              "1x1": 5.5
            }
          },
          "telemetry": null,
          "device_time": null
        },
        "system": {
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
          "driver_version": "",
          "cores_online": 4,
          "load": [
            0.5,
            null
          ]
        },
        "warnings": [
          {
            "code": "OVERSUBSCRIBED",
            "message": "2 threads on 1 core; use fewer"
          }
        ]
      }
      """;

  /** {@link Reports#api()}. */
  static final String API =
      """
      {
        "schema": "rpx-agent/1",
        "model": {
          "path": "vendor/model-1",
          "format": "api",
          "bytes": null,
          "sha256": null
        },
        "inputs": [],
        "row": {
          "type": "api",
          "params_m": "N/A (API)",
          "flops_g": "N/A (API)",
          "macs_g": "N/A (API)",
          "memory_traffic_gb": null,
          "arithmetic_intensity": null,
          "actmem_gb_fp16": null,
          "latency_ms_per_sample": null,
          "latency_p50_ms": null,
          "latency_p95_ms": null,
          "latency_p99_ms": null,
          "peak_cpu_mb": null,
          "peak_cuda_mb": null,
          "peak_mps_mb": null
        },
        "tier1": null,
        "tier2": [],
        "tier3": null,
        "system": null,
        "warnings": []
      }
      """;

  private ReportGoldens() {}
}
