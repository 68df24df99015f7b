// SPDX-License-Identifier: Apache-2.0
// The loop one would write by hand: p50 of n forwards, in nanoseconds. loop MODEL N call|method
// call: module.forward(...), which looks the method up each time. method: looked up once, as rpx-agent does.
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <torch/script.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

template <class Forward>
int64_t p50(size_t n, const std::vector<c10::IValue>& inputs, Forward forward) {
  std::vector<int64_t> ns(n);
  for (auto& sample : ns) {
    auto arguments = inputs;
    auto start = std::chrono::steady_clock::now();
    c10::IValue out = forward(std::move(arguments));
    auto end = std::chrono::steady_clock::now();
    sample = std::chrono::nanoseconds(end - start).count();
  }  // the output is released here, outside the span
  std::sort(ns.begin(), ns.end());
  return (ns[(n - 1) / 2] + ns[n / 2]) / 2;
}

int main(int count, char** argument) {
  if (count != 4) return 2;
  size_t n = std::strtoull(argument[2], nullptr, 10);
  at::set_num_threads(1);
  c10::InferenceMode inference;
  auto module = torch::jit::load(argument[1]);
  module.eval();
  std::vector<c10::IValue> inputs{at::rand({1, 4})};
  auto method = module.get_method("forward");
  bool once = argument[3] == std::string("method");
  int64_t result = 0;
  for (int warm = 0; warm < 2; warm++)
    result = once ? p50(n, inputs, [&](std::vector<c10::IValue> a) { return method(std::move(a)); })
                  : p50(n, inputs, [&](std::vector<c10::IValue> a) { return module.forward(std::move(a)); });
  std::printf("%lld\n", static_cast<long long>(result));
}
