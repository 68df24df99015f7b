// LibTorch keeps what runs on an NVIDIA device in a library of its own, which takes a third of a second to load.
#pragma once
#include <c10/core/Device.h>

#include <string>

namespace rpx {

// Loads the library that a device's kernels are in, once, where LibTorch has one beside it; CPU work never needs it.
// Call it before anything asks LibTorch about that device: the first question keeps its "there is none" for good.
// Throws DEVICE, "no CUDA: …", where the library is there and does not load, or where there is none.
void open_device_library(const c10::Device& device);

// The folder that libtorch_cpu was loaded from; "" where the linker does not tell.
std::string libtorch_folder();

}  // namespace rpx
