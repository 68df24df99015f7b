// A simulated accelerator on LibTorch's PrivateUse1, named "sim": kernels run on the CPU when they are enqueued, and time
// on the device is a clock that each of them moves on by a known delay. For tests only; docs/hardware.md says what it
// proves.
#pragma once
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/Stream.h>

#include <cstdint>

namespace sim {

constexpr auto kType = c10::DeviceType::PrivateUse1;
constexpr int kStreams = 4;

// What a test sets and reads. Shared with it through the file /tmp/librpxsim-PID where that is there when the library is
// loaded; otherwise the first five come from RPX_SIM_LIMIT, RPX_SIM_KERNEL_NS and so on.
struct Control {
  int64_t limit;          // bytes that can be reserved; 0 for 1 GiB
  int64_t kernel_ns;      // device time of a kernel
  int64_t pinned_ns;      // of a copy from or to pinned memory
  int64_t pageable_ns;    // of any other copy between host and device
  int64_t fail_after;     // kernels until one fails; 0 for never
  int64_t kernels;        // launched so far
  int64_t to_device;      // copies so far
  int64_t to_host;
  int64_t synchronised;   // waits for a stream or the device
  int64_t allocated;      // bytes now
  int64_t allocated_peak;  // ever: set it back by hand
  int64_t reserved;
  int64_t blocks;         // allocations so far
  int64_t how;            // a failure's kind: 0 launch failure, 1 out of memory as Jetson says it, 2 as the allocator does
};
Control& control();

// A kernel or copy of this length on the current stream. launch(0) only brings an idle stream to the present.
void launch(int64_t ns);
// Waits until the current stream has caught up.
void synchronise();
int64_t now_ns();
int current_stream();

c10::DeviceAllocator& allocator();
c10::Allocator& pinned();
bool is_pinned(const void* address);

// While it lives, copies are a part of a kernel: they take no time and are not counted.
struct Inside {
  Inside() { depth++; }
  ~Inside() { depth--; }
  static thread_local int depth;
};

}  // namespace sim
