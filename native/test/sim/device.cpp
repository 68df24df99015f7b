// The device itself: its clock, streams and events, and what LibTorch asks of an accelerator.
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "sim.h"

namespace sim {

namespace {

Control* shared() {
  auto path = "/tmp/librpxsim-" + std::to_string(getpid());
  int file = open(path.c_str(), O_RDWR);
  if (file >= 0) {
    struct stat about;
    void* at = fstat(file, &about) == 0 && about.st_size >= static_cast<off_t>(sizeof(Control))
                   ? mmap(nullptr, sizeof(Control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                   : MAP_FAILED;
    close(file);
    if (at != MAP_FAILED) return static_cast<Control*>(at);
  }
  auto* own = new Control();
  auto from = [](const char* name) -> int64_t { return std::getenv(name) ? std::atoll(std::getenv(name)) : 0; };
  own->limit = from("RPX_SIM_LIMIT");
  own->kernel_ns = from("RPX_SIM_KERNEL_NS");
  own->pinned_ns = from("RPX_SIM_PINNED_NS");
  own->pageable_ns = from("RPX_SIM_PAGEABLE_NS");
  own->fail_after = from("RPX_SIM_FAIL_AFTER");
  return own;
}

thread_local c10::StreamId stream = 0;
std::atomic<int64_t> idle_from[kStreams];  // when each stream's queue will be empty

void wait_until(int64_t ns) {
  if (auto left = ns - now_ns(); left > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(left));
}

}  // namespace

Control& control() {
  static auto* one = shared();
  return *one;
}

thread_local int Inside::depth = 0;

int64_t now_ns() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

int current_stream() { return static_cast<int>(stream); }

void launch(int64_t ns) {
  auto& clock = idle_from[stream];
  clock = std::max(clock.load(), now_ns()) + ns;
}

void synchronise() {
  control().synchronised++;
  wait_until(idle_from[stream]);
}

namespace {

c10::Stream as_stream(c10::StreamId id) { return c10::Stream(c10::Stream::UNSAFE, c10::Device(kType, 0), id); }

struct Moment {
  std::atomic<int64_t> ns{0};
};

struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return kType; }
  c10::Device exchangeDevice(c10::Device) const override { return getDevice(); }
  c10::Device getDevice() const override { return c10::Device(kType, 0); }
  void setDevice(c10::Device) const override {}
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }

  c10::Stream getStream(c10::Device) const override { return as_stream(stream); }
  c10::Stream getDefaultStream(c10::Device) const override { return as_stream(0); }
  c10::Stream getNewStream(c10::Device, int) const override {
    static std::atomic<int> next{0};
    return as_stream(1 + next++ % (kStreams - 1));
  }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool) const override { return getNewStream(device, 0); }
  c10::Stream exchangeStream(c10::Stream to) const override {
    auto before = as_stream(stream);
    stream = to.id();
    return before;
  }
  bool queryStream(const c10::Stream& of) const override { return now_ns() >= idle_from[of.id()]; }
  void synchronizeStream(const c10::Stream& of) const override {
    control().synchronised++;
    wait_until(idle_from[of.id()]);
  }
  void synchronizeDevice(c10::DeviceIndex) const override {
    control().synchronised++;
    for (auto& clock : idle_from) wait_until(clock);
  }

  void record(void** event, const c10::Stream& on, c10::DeviceIndex, c10::EventFlag) const override {
    if (!*event) *event = new Moment();
    static_cast<Moment*>(*event)->ns = std::max(idle_from[on.id()].load(), now_ns());
  }
  void block(void* event, const c10::Stream& of) const override {
    auto& clock = idle_from[of.id()];
    clock = std::max(clock.load(), static_cast<Moment*>(event)->ns.load());
  }
  bool queryEvent(void* event) const override { return now_ns() >= static_cast<Moment*>(event)->ns; }
  void synchronizeEvent(void* event) const override { wait_until(static_cast<Moment*>(event)->ns); }
  double elapsedTime(void* from, void* to, c10::DeviceIndex) const override {
    return static_cast<double>(static_cast<Moment*>(to)->ns - static_cast<Moment*>(from)->ns) / 1e6;
  }
  void destroyEvent(void* event, c10::DeviceIndex) const noexcept override { delete static_cast<Moment*>(event); }
};

struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  c10::DeviceIndex deviceCount() const override { return 1; }
  c10::DeviceIndex getCurrentDevice() const override { return 0; }
  void setCurrentDevice(c10::DeviceIndex) const override {}
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex) const override { return 0; }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex) const override { return 0; }
  at::Allocator* getPinnedMemoryAllocator() const override { return &pinned(); }
  bool isPinnedPtr(const void* address) const override { return is_pinned(address); }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

const bool registered = [] {
  c10::SetAllocator(kType, &allocator());
  at::RegisterPrivateUse1HooksInterface(new Hooks);
  // LibTorch's own name for the key is the one for which nn.TransformerEncoderLayer takes its fast path.
  const char* name = std::getenv("RPX_SIM_NAME");
  if (!name) name = "sim";
  if (std::string(name) != "privateuseone") c10::register_privateuse1_backend(name);
  return true;
}();

}  // namespace
}  // namespace sim
