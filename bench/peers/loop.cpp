// SPDX-License-Identifier: Apache-2.0
// The loop one would write by hand: p50 of a forward in ns. loop MODEL SHAPE THREADS WARM-UP RUNS
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
  if (count != 6) return 2;
  std::vector<int64_t> shape, ns;
  std::istringstream sizes(argument[2]);
  for (std::string size; std::getline(sizes, size, 'x');) shape.push_back(std::stoll(size));
  at::set_num_threads(std::atoi(argument[3]));
  int warm = std::atoi(argument[4]), runs = std::atoi(argument[5]);
  c10::InferenceMode inference;
  auto module = torch::jit::load(argument[1]);
  module.eval();
  std::vector<c10::IValue> inputs{at::rand(shape)};
  for (int i = -warm; i < runs; i++) {
    auto arguments = inputs;
    auto start = std::chrono::steady_clock::now();
    c10::IValue out = module.forward(std::move(arguments));
    auto end = std::chrono::steady_clock::now();
    if (i >= 0) ns.push_back(std::chrono::nanoseconds(end - start).count());
  }  // the output is released here, outside the span
  std::sort(ns.begin(), ns.end());
  std::printf("%lld\n", static_cast<long long>((ns[(ns.size() - 1) / 2] + ns[ns.size() / 2]) / 2));
}
