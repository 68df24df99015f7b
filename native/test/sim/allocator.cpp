// A caching allocator with a limit: blocks of 512 bytes and multiples, kept when they are freed, given back when the
// limit is reached or the cache is emptied.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "sim.h"

namespace sim {

namespace {

constexpr int64_t kRound = 512;
constexpr int64_t kDefaultLimit = int64_t{1} << 30;

std::mutex lock;

int64_t limit() { return control().limit > 0 ? control().limit : kDefaultLimit; }

class Caching final : public c10::DeviceAllocator {
 public:
  c10::DataPtr allocate(size_t asked) override {
    c10::Device device(kType, 0);
    if (asked == 0) return {nullptr, nullptr, &free, device};
    std::lock_guard<std::mutex> hold(lock);
    auto size = static_cast<int64_t>((asked + kRound - 1) / kRound * kRound);
    void* block = nullptr;
    auto cached = cached_.find(size);
    if (cached != cached_.end()) {
      block = cached->second;
      cached_.erase(cached);
    } else {
      if (control().reserved + size > limit()) release();
      // The words of the CUDA allocator, under another name.
      TORCH_CHECK_WITH(OutOfMemoryError, control().reserved + size <= limit(), "SIM out of memory. Tried to allocate ", asked,
                       " bytes. Device 0 has a total capacity of ", limit(), " bytes of which ", limit() - control().reserved, " bytes is free.");
      block = std::aligned_alloc(64, size);
      control().reserved += size;
    }
    sizes_[block] = size;
    control().blocks++;
    control().allocated += size;
    control().allocated_peak = std::max(control().allocated_peak, control().allocated);
    allocated_peak_ = std::max(allocated_peak_, control().allocated);
    reserved_peak_ = std::max(reserved_peak_, control().reserved);
    return {block, block, &free, device};
  }

  void give_back(void* block) {
    std::lock_guard<std::mutex> hold(lock);
    int64_t size = sizes_.at(block);
    control().allocated -= size;
    cached_.emplace(size, block);
  }

  static void free(void* block);
  c10::DeleterFnPtr raw_deleter() const override { return &free; }
  void copy_data(void* to, const void* from, size_t n) const override { std::memcpy(to, from, n); }
  bool initialized() override { return true; }
  void recordStream(const c10::DataPtr&, c10::Stream) override {}

  void emptyCache(c10::MempoolId_t) override {
    std::lock_guard<std::mutex> hold(lock);
    release();
  }

  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex) override {
    std::lock_guard<std::mutex> hold(lock);
    c10::CachingDeviceAllocator::DeviceStats stats;
    stats.allocated_bytes[0].current = control().allocated;
    stats.allocated_bytes[0].peak = allocated_peak_;
    stats.reserved_bytes[0].current = control().reserved;
    stats.reserved_bytes[0].peak = reserved_peak_;
    return stats;
  }

  void resetAccumulatedStats(c10::DeviceIndex) override {}

  void resetPeakStats(c10::DeviceIndex) override {
    std::lock_guard<std::mutex> hold(lock);
    allocated_peak_ = control().allocated;
    reserved_peak_ = control().reserved;
  }

  std::pair<size_t, size_t> getMemoryInfo(c10::DeviceIndex) override { return {limit() - control().reserved, limit()}; }

 private:
  void release() {
    for (auto& [size, block] : cached_) {
      std::free(block);
      sizes_.erase(block);
      control().reserved -= size;
    }
    cached_.clear();
  }

  std::multimap<int64_t, void*> cached_;
  std::map<void*, int64_t> sizes_;
  int64_t allocated_peak_ = 0, reserved_peak_ = 0;
};

// Never destroyed: tensors may outlive whatever destructors run.
Caching& caching() {
  static auto* one = new Caching();
  return *one;
}

void Caching::free(void* block) {
  if (block) caching().give_back(block);
}

std::map<const char*, size_t>& pins() {
  static auto* one = new std::map<const char*, size_t>();
  return *one;
}

class Pinned final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t n) override {
    auto* block = static_cast<char*>(std::aligned_alloc(64, std::max<size_t>(64, (n + 63) / 64 * 64)));
    std::lock_guard<std::mutex> hold(lock);
    pins()[block] = n;
    return {block, block, &unpin, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &unpin; }
  void copy_data(void* to, const void* from, size_t n) const override { std::memcpy(to, from, n); }

 private:
  static void unpin(void* block) {
    std::lock_guard<std::mutex> hold(lock);
    pins().erase(static_cast<char*>(block));
    std::free(block);
  }
};

}  // namespace

c10::DeviceAllocator& allocator() { return caching(); }

c10::Allocator& pinned() {
  static auto* one = new Pinned();
  return *one;
}

bool is_pinned(const void* address) {
  std::lock_guard<std::mutex> hold(lock);
  auto after = pins().upper_bound(static_cast<const char*>(address));
  if (after == pins().begin()) return false;
  auto& [start, size] = *--after;
  return static_cast<const char*>(address) < start + size;
}

}  // namespace sim
