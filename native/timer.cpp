// The timed loop. Nothing is hooked, allocated or converted between the two clock reads of a run but by the model.
#include <c10/core/InferenceMode.h>

#include <chrono>

#include "session.h"

namespace rpx {

namespace {

using Clock = std::chrono::steady_clock;

int64_t ns(Clock::duration d) { return std::chrono::nanoseconds(d).count(); }

// Runs that are enqueued and not yet collected: enough that the device does not wait for a host that is faster, few
// enough that the driver's queue of about a thousand launches is not full. Else waiting for room in it would look like
// the host's work, and the end of the loop would come long after its limit.
constexpr int kMostPending = Events::kPairs - 1, kLeastPending = 1;
constexpr int64_t kAheadNs = 1'000'000;

class Queue {
 public:
  Queue(c10::Device device, int64_t* device_ns) : events_(device), device_ns_(device_ns) {}

  Events& events() { return events_; }

  // Not a synchronisation: it waits for a run of long ago, while later ones are on the device.
  void bound() {
    while (events_.pending() > kMostPending ||
           (events_.pending() > kLeastPending && (last_ == 0 || events_.pending() * last_ > kAheadNs)))
      collect();
  }

  void drain() {
    while (events_.pending() > 0) collect();
  }

 private:
  void collect() { device_ns_[done_++] = last_ = events_.collect(); }

  Events events_;
  int64_t* const device_ns_;
  int64_t done_ = 0, last_ = 0;
};

}  // namespace

int64_t Session::time(int64_t* start_ns, int64_t* duration_ns, int64_t* device_ns, int64_t n, int64_t limit_ns, volatile int64_t* done) {
  return state->guarded("INPUT", [&]() -> int64_t {
    state->apply_threads();
    state->outputs.clear();  // on a device they would be part of its peak
    c10::InferenceMode inference;
    auto& model = *state->model;
    const bool waits = !state->device.is_cpu() && !device_ns;
    std::optional<Queue> queue;
    if (device_ns) queue.emplace(state->device, device_ns);
    auto first = Clock::now();
    int64_t i = 0;
    while (i < n && !state->cancelled.load(std::memory_order_relaxed)) {
      model.reset(state->inputs);
      std::vector<c10::IValue> arguments = state->inputs;
      if (queue) queue->events().start();
      auto start = Clock::now();
      c10::IValue out = model.forward(std::move(arguments));
      if (waits) synchronize(state->device);
      auto end = Clock::now();
      if (queue) queue->events().end();
      out = c10::IValue();  // released outside the timed span; on a device its memory is used again in the stream's order
      start_ns[i] = ns(start - first);
      duration_ns[i] = ns(end - start);
      *done = ++i;
      if (queue) queue->bound();
      if (ns((queue ? Clock::now() : end) - first) >= limit_ns) break;
    }
    synchronize(state->device);
    if (queue) queue->drain();
    return i;
  });
}

}  // namespace rpx
