// The timed loop. Nothing is hooked, allocated or converted between the two clock reads of a run but by the model.
#include <c10/core/InferenceMode.h>

#include <chrono>

#include "session.h"

namespace rpx {

int64_t Session::time(int64_t* start_ns, int64_t* duration_ns, int64_t n, int64_t limit_ns, volatile int64_t* done) {
  return guard("INPUT", [&]() -> int64_t {
    using clock = std::chrono::steady_clock;
    auto ns = [](clock::duration d) -> int64_t { return std::chrono::nanoseconds(d).count(); };
    state->apply_threads();
    c10::InferenceMode inference;
    auto& model = *state->model;
    auto first = clock::now();
    int64_t i = 0;
    while (i < n && !state->cancelled.load(std::memory_order_relaxed)) {
      model.reset(state->inputs);
      std::vector<c10::IValue> arguments = state->inputs;
      auto start = clock::now();
      c10::IValue out = model.forward(std::move(arguments));
      auto end = clock::now();
      out = c10::IValue();  // released outside the timed span
      start_ns[i] = ns(start - first);
      duration_ns[i] = ns(end - start);
      *done = ++i;
      if (ns(end - first) >= limit_ns) break;
    }
    return i;
  });
}

}  // namespace rpx
