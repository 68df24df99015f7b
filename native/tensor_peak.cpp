// The most that CPU tensors held during a forward, on whatever thread they were made. LibTorch's own reports reach only
// the thread that asked for them; the allocator is one for all.
#include <c10/core/Allocator.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "device.h"
#include "session.h"

namespace rpx {

namespace {

class Counting final : public c10::Allocator {
 public:
  // Never destroyed: tensors outlive the forward that made them, and the library.
  static Counting& one() {
    static auto* counting = new Counting;
    return *counting;
  }

  void begin() {
    std::lock_guard<std::mutex> hold(lock);
    base = c10::GetAllocator(c10::kCPU);
    ++round;
    now = most = 0;
    c10::SetAllocator(c10::kCPU, this);
  }

  int64_t end() {
    std::lock_guard<std::mutex> hold(lock);
    c10::SetAllocator(c10::kCPU, base);
    return most;
  }

  c10::DataPtr allocate(size_t n) override {
    c10::DataPtr data = base->allocate(n);
    auto deleter = data.get_deleter();
    if (n == 0 || !data || !data.compare_exchange_deleter(deleter, &free)) return data;
    std::lock_guard<std::mutex> hold(lock);
    // Over what stood there of an address that went back without us.
    live[data.get_context()] = {static_cast<int64_t>(n), round, deleter};
    now += static_cast<int64_t>(n);
    most = std::max(most, now);
    return data;
  }

  c10::DeleterFnPtr raw_deleter() const override { return &free; }
  void copy_data(void* to, const void* from, std::size_t n) const override { base->copy_data(to, from, n); }

 private:
  struct Block {
    int64_t size;
    int64_t round;
    c10::DeleterFnPtr deleter;
  };

  static void free(void* context) {
    Counting& all = one();
    c10::DeleterFnPtr deleter = all.base->raw_deleter();
    {
      std::lock_guard<std::mutex> hold(all.lock);
      auto found = all.live.find(context);
      if (found != all.live.end()) {
        // What an earlier forward left is not part of this one's sum.
        if (found->second.round == all.round) all.now -= found->second.size;
        deleter = found->second.deleter;
        all.live.erase(found);
      }
    }
    deleter(context);
  }

  c10::Allocator* base = nullptr;
  std::mutex lock;
  std::unordered_map<void*, Block> live;
  int64_t round = 0, now = 0, most = 0;
};

}  // namespace

int64_t Session::tensor_peak() {
  auto peak = state->guarded("INPUT", [&] {
    struct Count {
      bool open = true;
      Count() { Counting::one().begin(); }
      int64_t end() {
        open = false;
        return Counting::one().end();
      }
      ~Count() {
        if (open) Counting::one().end();
      }
    } count;
    state->forward();
    synchronize(state->device);
    return count.end();
  });
  state->restore();
  return peak;
}

}  // namespace rpx
