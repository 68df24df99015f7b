// SPDX-License-Identifier: Apache-2.0
// A plain LibTorch loop without rpx-agent: p50 of a TorchScript file's forward, in nanoseconds, at given pool widths.
//   threads MODEL OPERATORS BLAS INPUT...   (0 leaves a pool as LibTorch has it; an input is SHAPE[:float32|:int64])
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <dlfcn.h>
#include <torch/script.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

namespace {

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

at::Tensor input(std::string text) {
  auto type = at::kFloat;
  if (auto colon = text.find(':'); colon != std::string::npos) {
    auto name = text.substr(colon + 1);
    if (name != "float32" && name != "int64") throw std::runtime_error("no such input type here: " + name);
    if (name == "int64") type = at::kLong;
    text.resize(colon);
  }
  std::vector<int64_t> shape;
  for (size_t at = 0; at <= text.size();) {
    auto end = std::min(text.find('x', at), text.size());
    shape.push_back(std::stoll(text.substr(at, end - at)));
    at = end + 1;
  }
  return type == at::kLong ? at::zeros(shape, type) : at::rand(shape, type);
}

}  // namespace

int main(int count, char** argument) try {
  // As often as each line of stdin says; each duration, a line for a line.
  const bool turns = count > 1 && std::string(argument[1]) == "--turns";
  if (turns) argument++, count--;
  if (count < 4) return std::fprintf(stderr, "usage: threads [--turns] MODEL OPERATORS BLAS INPUT...\n"), 2;
  int operators = std::atoi(argument[2]), blas = std::atoi(argument[3]);
  if (operators > 0) at::set_num_threads(operators);
  if (blas > 0) {  // last: at::set_num_threads narrows OpenBLAS too on some builds
    auto* set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
    if (set) set(blas);
  }
  c10::InferenceMode inference;
  auto module = torch::jit::load(argument[1]);
  module.eval();
  std::vector<c10::IValue> inputs;
  for (int i = 4; i < count; i++) inputs.emplace_back(input(argument[i]));

  auto forward = [&] {
    auto arguments = inputs;
    auto start = Clock::now();
    auto out = module.forward(std::move(arguments));
    return std::chrono::nanoseconds(Clock::now() - start).count();
  };
  if (turns) {
    for (int n; std::scanf("%d", &n) == 1; std::puts(""), std::fflush(stdout))
      while (n-- > 0) std::printf("%lld ", static_cast<long long>(forward()));
    return 0;
  }
  std::vector<int64_t> ns;
  // What `rpx-agent measure` does by default: 20 forwards and 20 ms (1 s at most) to warm up, then 1000 forwards or
  // 3 s, 10 at least.
  for (bool warm : {true, false}) {
    ns.clear();
    auto first = Clock::now();
    for (;;) {
      ns.push_back(forward());
      double passed = seconds(Clock::now() - first);
      if (warm && ((ns.size() >= 20 && passed >= 0.02) || passed >= 1)) break;
      if (!warm && (ns.size() >= 1000 || (ns.size() >= 10 && passed >= 3))) break;
    }
  }
  std::sort(ns.begin(), ns.end());
  std::printf("%lld\n", static_cast<long long>((ns[(ns.size() - 1) / 2] + ns[ns.size() / 2]) / 2));
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
