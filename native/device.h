// Accelerators by the parts of LibTorch that are the same for all of them. What differs between versions of LibTorch is
// in device.cpp alone.
#pragma once
#include <c10/core/Device.h>

#include <cstdint>
#include <memory>
#include <string>

namespace rpx {

// The device of a name ("cpu", "cuda", "cuda:1", "mps" ...; without an index its first), proven by a kernel. "auto" is the
// accelerator, or the CPU, and then *why says what is missing. Throws DEVICE with the reason.
c10::Device find_device(const std::string& name, std::string* why);

// Makes a device the current one of this thread while it lives.
class OnDevice {
 public:
  explicit OnDevice(c10::Device device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;

 private:
  struct Guard;
  std::unique_ptr<Guard> guard_;
};

// Waits until everything that was enqueued has run; at once on the CPU.
void synchronize(c10::Device device);
// Gives memory that the allocator keeps for later back to the device. Throws nothing.
void empty_cache(c10::Device device) noexcept;

// Bytes; -1 where a device does not tell.
struct DeviceMemory {
  int64_t allocated = -1, allocated_peak = -1;  // by tensors
  int64_t reserved = -1, reserved_peak = -1;    // by the allocator, what it keeps for later too
  int64_t free = -1, total = -1;                // of the device, as its driver says, for all processes
};
DeviceMemory device_memory(c10::Device device);
void reset_device_peaks(c10::Device device);

// Pairs of timing events on the current stream, in a ring that is made once. A device without timing events throws
// where it is made.
class Events {
 public:
  static constexpr int kPairs = 256;
  explicit Events(c10::Device device, int pairs = kPairs);
  ~Events();
  Events(const Events&) = delete;

  void start();
  void end();
  // Pairs that are not collected yet.
  int pending() const { return pending_; }
  // Whether the device has passed the oldest pair, of which there is one.
  bool ready() const;
  // Waits for the oldest pair; the nanoseconds between its events.
  int64_t collect();

 private:
  int oldest() const { return (next_ - pending_ + pairs_) % pairs_; }

  struct Ring;
  const int pairs_;
  std::unique_ptr<Ring> ring_;
  int next_ = 0, pending_ = 0;
};

}  // namespace rpx
