// What a timed loop does between its runs, outside their timed spans.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace rpx {

class Between {
 public:
  using Clock = std::chrono::steady_clock;

  // Nothing, or: releases runs period_ns apart where it is above 0, writes over flush_bytes where they are.
  Between() = default;
  Between(int64_t period_ns, int64_t flush_bytes);

  // In front of run i of a loop that began at first. False where cancelled meanwhile: the run's time has not come.
  bool before(Clock::time_point first, int64_t i, const std::atomic<bool>& cancelled) {
    if (!lines_.empty()) flush();
    return period_ns_ == 0 || wait(first + std::chrono::nanoseconds(i * period_ns_), cancelled);
  }

 private:
  void flush();
  static bool wait(Clock::time_point release, const std::atomic<bool>& cancelled);

  int64_t period_ns_ = 0;
  std::vector<char> lines_;
};

}  // namespace rpx
