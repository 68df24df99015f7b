#include "between.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <thread>

#include "error.h"
#include "session.h"

namespace rpx {

namespace {

// No processor that LibTorch runs on has a shorter cache line.
constexpr int64_t kLine = 64;
// How long a cancelled loop may sleep on.
constexpr std::chrono::milliseconds kNap{500};

}  // namespace

Between::Between(int64_t period_ns, int64_t flush_bytes) : period_ns_(period_ns) {
  if (period_ns < 0 || flush_bytes < 0) fail("INTERNAL", "a period or a flush below 0");
  lines_.resize(flush_bytes);
}

// Reads and writes each line: memset may go past the caches. Every thread of the pool takes its part, so that the caches
// that its core does not share are emptied too.
void Between::flush() {
  volatile char* lines = lines_.data();
  at::parallel_for(0, static_cast<int64_t>(lines_.size()) / kLine, 1 << 12, [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; i++) lines[i * kLine] = static_cast<char>(lines[i * kLine] + 1);
  });
}

// By an absolute time: what a sleep is late by is never handed on to the next.
bool Between::wait(Clock::time_point release, const std::atomic<bool>& cancelled) {
  while (Clock::now() < release) {
    if (cancelled.load(std::memory_order_relaxed)) return false;
    std::this_thread::sleep_until(std::min(release, Clock::now() + kNap));
  }
  return !cancelled.load(std::memory_order_relaxed);
}

void Session::between(int64_t period_ns, int64_t flush_bytes) {
  guard("INTERNAL", [&] {
    state->between = Between(period_ns, flush_bytes);
    state->turn = 0;
  });
}

}  // namespace rpx
