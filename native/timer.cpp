// The timed loop. Nothing is hooked, allocated or converted between the two clock reads of a run but by the model.
#include <c10/core/InferenceMode.h>

#include <algorithm>
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

// A template only because Session's State is its own.
template <class State>
int64_t loop(State& state, Model& model, Between& between, int64_t* start_ns, int64_t* duration_ns, int64_t* device_ns, int64_t n,
             int64_t limit_ns, volatile int64_t* done) {
  state.apply_threads();
  c10::InferenceMode inference;
  const bool waits = !state.device.is_cpu() && !device_ns;
  std::optional<Queue> queue;
  if (device_ns) queue.emplace(state.device, device_ns);
  auto first = Clock::now();
  int64_t i = 0;
  while (i < n && !state.cancelled.load(std::memory_order_relaxed)) {
    const auto& inputs = state.next_inputs();
    model.reset(inputs);
    std::vector<c10::IValue> arguments = inputs;
    if (!between.before(first, i, state.cancelled)) break;
    if (queue) queue->events().start();
    auto start = Clock::now();
    c10::IValue out = model.forward(std::move(arguments));
    if (waits) synchronize(state.device);
    auto end = Clock::now();
    if (queue) queue->events().end();
    out = c10::IValue();  // released outside the timed span; on a device its memory is used again in the stream's order
    start_ns[i] = ns(start - first);
    duration_ns[i] = ns(end - start);
    *done = ++i;
    if (queue) queue->bound();
    if (ns((queue ? Clock::now() : end) - first) >= limit_ns) break;
  }
  synchronize(state.device);
  if (queue) queue->drain();
  return i;
}

// What is timed where nothing runs.
struct Nothing : Model {
  void load() override {}
  void cast(c10::ScalarType) override {}
  c10::IValue forward(std::vector<c10::IValue>) override { return {}; }
  std::vector<int64_t> fingerprint() const override { return {}; }
  void weights(const Weight&) const override {}
};

}  // namespace

int64_t Session::time(int64_t* start_ns, int64_t* duration_ns, int64_t* device_ns, int64_t n, int64_t limit_ns, volatile int64_t* done) {
  return state->guarded("INPUT", [&] {
    state->outputs.clear();  // on a device they would be part of its peak
    return loop(*state, *state->model, state->between, start_ns, duration_ns, device_ns, n, limit_ns, done);
  });
}

int64_t Session::timer_floor() {
  return state->guarded("INTERNAL", [&]() -> int64_t {
    constexpr int64_t kRuns = 10'001;
    std::vector<int64_t> start(kRuns), duration(kRuns);
    std::unique_ptr<Model> nothing = std::make_unique<Nothing>();
    Between straight;
    volatile int64_t done = 0;
    int64_t ran = loop(*state, *nothing, straight, start.data(), duration.data(), nullptr, kRuns, INT64_MAX, &done);
    if (ran == 0) return -1;  // cancelled
    std::nth_element(duration.begin(), duration.begin() + ran / 2, duration.begin() + ran);
    return duration[ran / 2];
  });
}

}  // namespace rpx
