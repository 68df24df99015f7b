// What becomes of LibTorch's messages.
#include "../error.h"

#include "check.h"

int main() {
  using rpx::complaint;
  // A TorchScript error carries the model's own source; the reason stands at its end.
  CHECK(complaint("The following operation failed in the TorchScript interpreter.\nTraceback of TorchScript (most recent "
                  "call last):\n  File \"x.py\", line 3\n    return conv(x)\n           ~~~~ <--- HERE\nRuntimeError: Given "
                  "groups=1, expected 3\n channels\n") == "Given groups=1, expected 3 channels");
  CHECK(complaint("The following operation failed\n  File \"x.py\"\n    ops.prim.RaiseException(_6, \"builtins.ValueError\")\n    "
                  "~~~ <--- HERE\nbuiltins.ValueError: LSTM: Expected input to be 2D") == "LSTM: Expected input to be 2D");
  CHECK(complaint("plain words") == "plain words");
  CHECK(complaint("first\nException raised from f at g.cpp:3 (most recent call first):\nframe #0") == "first");
  CHECK(complaint("CUDA error: unknown error\nSearch for `cudaErrorUnknown' in https://docs.nvidia.com/ for more information.\n"
                  "CUDA kernel errors might be asynchronously reported at some other API call.") == "CUDA error: unknown error");
  CHECK(complaint("RuntimeError: CUDA error: unknown error\nCUDA kernel errors might be asynchronously reported") ==
        "CUDA error: unknown error");
  CHECK(rpx::out_of_memory("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory: you tried"));
  CHECK(rpx::out_of_memory("CUDA out of memory. Tried to allocate 2 GiB"));
  CHECK(rpx::out_of_memory("MPS backend out of memory (MPS allocated: 8.9 GB)"));
  CHECK(rpx::out_of_memory("HIP out of memory. Tried to allocate 2.00 MiB"));
  CHECK(rpx::out_of_memory("CUDA error: out of memory"));
  CHECK(rpx::out_of_memory("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"));
  CHECK(rpx::out_of_memory("NVML_SUCCESS == r INTERNAL ASSERT FAILED at \"/opt/pytorch/c10/cuda/CUDACachingAllocator.cpp\":1131"));
  CHECK(!rpx::out_of_memory("memory format is not contiguous"));
  CHECK(rpx::device_failed("CUDA error: no kernel image is available for execution on the device"));
  CHECK(!rpx::device_failed("Expected all tensors to be on the same device"));
  auto code = [](auto thrown) {
    try {
      rpx::guard("INPUT", [&]() -> int { throw thrown; });
    } catch (const rpx::Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(code(std::runtime_error("no")) == "INPUT: no");
  CHECK(code(std::bad_alloc()).rfind("OUT_OF_MEMORY: ", 0) == 0);
  CHECK(code(std::runtime_error("\"mm\" not implemented for 'Half'")).rfind("UNSUPPORTED: ", 0) == 0);
  CHECK(code(std::runtime_error("Could not run 'quantized::linear' with arguments from the 'CUDA' backend. This could be "
                                "because the operator doesn't exist for this backend, or was omitted. CPU: registered at")) ==
        "UNSUPPORTED: Could not run 'quantized::linear' with arguments from the 'CUDA' backend");
  CHECK(code(std::runtime_error("CUDA error: an illegal memory access was encountered")).rfind("DEVICE: ", 0) == 0);
  CHECK(code(std::runtime_error("CUDA error: out of memory")).rfind("OUT_OF_MEMORY: ", 0) == 0);
  CHECK(code(rpx::Error("DEVICE: none")) == "DEVICE: none");
  CHECK(code(42).rfind("INTERNAL: ", 0) == 0);
}
