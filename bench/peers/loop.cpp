// SPDX-License-Identifier: Apache-2.0
// The loop one would write by hand: p50 of a forward in ns. loop MODEL SHAPE THREADS WARM-UP RUNS
// Without the last two: as often as each line of stdin says; each duration, a line for a line.
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <torch/script.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

int main(int count, char** argument) {
  if (count != 6 && count != 4) return 2;
  std::vector<int64_t> shape, ns;
  std::istringstream sizes(argument[2]);
  for (std::string size; std::getline(sizes, size, 'x');) shape.push_back(std::stoll(size));
  at::set_num_threads(std::atoi(argument[3]));
  c10::InferenceMode inference;
  auto module = torch::jit::load(argument[1]);
  module.eval();
  std::vector<c10::IValue> inputs{at::rand(shape)};
  auto time = [&](int n) {
    ns.clear();
    while (n-- > 0) {
      auto arguments = inputs;
      auto start = std::chrono::steady_clock::now();
      c10::IValue out = module.forward(std::move(arguments));
      auto end = std::chrono::steady_clock::now();
      ns.push_back(std::chrono::nanoseconds(end - start).count());
    }  // the output is released here, outside the span
  };
  if (count == 4) {
    for (int n; std::scanf("%d", &n) == 1; std::puts(""), std::fflush(stdout)) {
      time(n);
      for (auto each : ns) std::printf("%lld ", static_cast<long long>(each));
    }
    return 0;
  }
  time(std::atoi(argument[4]));
  time(std::atoi(argument[5]));
  std::sort(ns.begin(), ns.end());
  std::printf("%lld\n", static_cast<long long>((ns[(ns.size() - 1) / 2] + ns[ns.size() / 2]) / 2));
}
