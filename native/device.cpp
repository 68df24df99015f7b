#include "device.h"

#include <ATen/DeviceAccelerator.h>
#include <ATen/core/Tensor.h>
#include <ATen/detail/MPSHooksInterface.h>
#include <ATen/ops/ones.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/Event.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cmath>
#include <optional>
#include <vector>

#include "device_library.h"
#include "error.h"

namespace rpx {

namespace {

std::string title(c10::DeviceType type) {
  std::string name = c10::DeviceTypeName(type, true);
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

bool known(c10::DeviceType type) {
  return type != c10::kCPU && type != c10::kMeta && c10::impl::hasDeviceGuardImpl(type);
}

// Those that could be asked for.
std::string names() {
  std::string all = "cpu";
  for (int i = 1; i < c10::COMPILE_TIME_MAX_DEVICE_TYPES; i++) {
    auto type = static_cast<c10::DeviceType>(i);
    if (known(type) && c10::impl::VirtualGuardImpl(type).deviceCount() > 0) all += ", " + c10::DeviceTypeName(type, true);
  }
  return all;
}

c10::Device parse(const std::string& name) {
  try {
    c10::Device device(name);
    return device.is_cpu() || device.has_index() ? device : c10::Device(device.type(), 0);
  } catch (const c10::Error&) {
    fail("DEVICE", "no device \"" + name + "\" (--device): this LibTorch has " + names());
  }
}

// That a driver answers does not mean that a kernel runs: only one that ran does.
void prove(c10::Device device) {
  auto none = "no " + title(device.type()) + ": ";
  if (!known(device.type()))
    fail("DEVICE", none + "this LibTorch was built without it; name one that has it with --libtorch, or use --device cpu");
  int count = c10::impl::VirtualGuardImpl(device.type()).deviceCount();
  if (count > 0 && device.index() >= count)
    fail("DEVICE", "no " + device.str() + ": there " + (count == 1 ? "is only " : "are ") + std::to_string(count) + ", counted from 0");
  std::string why = "a kernel gives wrong results";
  try {
    guard("DEVICE", [&] {
      c10::InferenceMode inference;
      OnDevice here(device);
      auto one = at::ones({1}, at::TensorOptions().device(device));
      if (one.add(one).cpu().item<float>() == 2) why.clear();
    });
  } catch (const Error& e) {
    std::string what = e.what();
    if (what.rfind("DEVICE: ", 0) != 0) throw;
    why = what.substr(8);
  }
  if (!why.empty()) fail("DEVICE", none + why + ": check its driver, or use --device cpu");
}

// Members that came later than 2.5: the allocators of all devices under one roof (2.9), and waiting for a whole device.
// Where there is no such allocator its figures stay unknown.
template <class Type>
auto allocator(Type type, int) -> decltype(getDeviceAllocator(type)) {
  return getDeviceAllocator(type);
}
struct NoAllocator {};
template <class Type>
NoAllocator* allocator(Type, long) {
  return nullptr;
}

template <class Guard>
auto wait(const Guard& guard, c10::Device device, int) -> decltype(guard.synchronizeDevice(device.index())) {
  guard.synchronizeDevice(device.index());
}
template <class Guard>
void wait(const Guard& guard, c10::Device device, long) {
  guard.synchronizeStream(guard.getStream(device));
}

template <class Allocator>
void empty(Allocator* of) {
  of->emptyCache();
}
[[maybe_unused]] void empty(NoAllocator*) {}

template <class Allocator>
void reset_peaks(Allocator* of, c10::Device device) {
  of->resetPeakStats(device.index());
}
[[maybe_unused]] void reset_peaks(NoAllocator*, c10::Device) {}

template <class Allocator>
void measure(Allocator* of, c10::Device device, DeviceMemory& memory) {
  auto stats = of->getDeviceStats(device.index());
  memory.allocated = stats.allocated_bytes[0].current;
  memory.allocated_peak = stats.allocated_bytes[0].peak;
  memory.reserved = stats.reserved_bytes[0].current;
  memory.reserved_peak = stats.reserved_bytes[0].peak;
  auto [free, total] = of->getMemoryInfo(device.index());
  memory.free = static_cast<int64_t>(free);
  memory.total = static_cast<int64_t>(total);
}
[[maybe_unused]] void measure(NoAllocator*, c10::Device, DeviceMemory&) {}

bool is_mps(c10::Device device) { return device.type() == c10::DeviceType::MPS; }

}  // namespace

c10::Device find_device(const std::string& name, std::string* why) {
  if (name != "auto") {
    auto device = parse(name);
    open_device_library(device);
    if (!device.is_cpu()) prove(device);
    return device;
  }
  std::string no_cuda = "this LibTorch has no accelerator";
  try {
    open_device_library(c10::Device(c10::kCUDA, 0));
  } catch (const Error& e) {
    no_cuda = std::string(e.what()).substr(std::string(e.what()).find(": ") + 2);
  }
  auto type = at::getAccelerator(false);
  if (!type) {
    *why = no_cuda;
    return c10::Device(c10::kCPU);
  }
  try {
    c10::Device device(*type, 0);
    prove(device);
    return device;
  } catch (const Error& e) {
    *why = std::string(e.what()).substr(std::string(e.what()).find(": ") + 2);
    return c10::Device(c10::kCPU);
  }
}

struct OnDevice::Guard {
  c10::OptionalDeviceGuard current;
};

OnDevice::OnDevice(c10::Device device) {
  if (device.is_cpu()) return;
  guard_ = std::make_unique<Guard>();
  guard_->current.reset_device(device);
}

OnDevice::~OnDevice() = default;

void synchronize(c10::Device device) {
  if (!device.is_cpu()) wait(c10::impl::VirtualGuardImpl(device.type()), device, 0);
}

void empty_cache(c10::Device device) noexcept {
  if (device.is_cpu()) return;
  try {
    OnDevice here(device);
    if (is_mps(device)) at::detail::getMPSHooks().emptyCache();
    else empty(allocator(device.type(), 0));
  } catch (...) {
    // A device that failed may not answer either.
  }
}

DeviceMemory device_memory(c10::Device device) {
  DeviceMemory memory;
  if (device.is_cpu()) return memory;
  OnDevice here(device);
  if (is_mps(device)) {
    auto& hooks = at::detail::getMPSHooks();
    memory.allocated = static_cast<int64_t>(hooks.getCurrentAllocatedMemory());
    memory.reserved = static_cast<int64_t>(hooks.getDriverAllocatedMemory());
    memory.total = static_cast<int64_t>(hooks.getRecommendedMaxMemory());
    return memory;
  }
  try {
    measure(allocator(device.type(), 0), device, memory);
  } catch (const c10::Error&) {
    // Not every backend has all of it.
  }
  return memory;
}

void reset_device_peaks(c10::Device device) {
  if (device.is_cpu() || is_mps(device)) return;
  try {
    reset_peaks(allocator(device.type(), 0), device);
  } catch (const c10::Error&) {
    // Then its peaks stay unknown, see device_memory().
  }
}

struct Events::Ring {
  Ring(c10::Device device, int pairs) : device(device), guard(device.type()) {
    for (int i = 0; i < 2 * pairs; i++) events.emplace_back(device.type(), c10::EventFlag::BACKEND_DEFAULT);
  }
  void record(int event) { events[event].record(guard.getStream(device)); }
  int64_t between(int pair) {
    events[2 * pair + 1].synchronize();
    return std::llround(events[2 * pair].elapsedTime(events[2 * pair + 1]) * 1e6);
  }

  const c10::Device device;
  const c10::impl::VirtualGuardImpl guard;
  std::vector<c10::Event> events;
};

Events::Events(c10::Device device, int pairs) : pairs_(pairs), ring_(std::make_unique<Ring>(device, pairs)) {
  // A backend makes an event where it is recorded first, which takes its time.
  for (int i = 0; i < 2 * pairs_; i++) ring_->record(i);
  ring_->between(pairs_ - 1);
}

Events::~Events() = default;

void Events::start() { ring_->record(2 * next_); }

void Events::end() {
  ring_->record(2 * next_ + 1);
  next_ = (next_ + 1) % pairs_;
  pending_++;
}

bool Events::ready() const { return ring_->events[2 * oldest() + 1].query(); }

int64_t Events::collect() {
  int pair = oldest();
  pending_--;
  return ring_->between(pair);
}

}  // namespace rpx
