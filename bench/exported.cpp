// SPDX-License-Identifier: Apache-2.0
// One model three ways in one process, in turns: rpx-agent's runner of torch.export graphs, nativert, TorchScript.
// usage: exported PROGRAM.txt FILE.pt2 FILE.pt|- ROUNDS SHAPE[:DTYPE]...   (PROGRAM.txt: words, then numbers)
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/nativert/ModelRunnerHandle.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "../native/model.h"

using Clock = std::chrono::steady_clock;

int main(int argc, char** argv) {
  c10::InferenceMode inference;
  std::ifstream in(argv[1]);
  size_t count;
  in >> count;
  std::string line;
  std::getline(in, line);
  std::vector<std::string> words(count);
  for (auto& word : words) std::getline(in, word);
  std::vector<int64_t> numbers;
  for (int64_t n; in >> n;) numbers.push_back(n);
  auto ours = rpx::exported(argv[2], c10::Device(c10::kCPU), numbers, words);
  ours->load();
  std::vector<c10::IValue> inputs;
  for (int i = 5; i < argc; i++) {
    std::string text = argv[i], dtype = "float32";
    if (text == "relu") continue;
    if (auto colon = text.find(':'); colon != std::string::npos) dtype = text.substr(colon + 1), text.resize(colon);
    std::replace(text.begin(), text.end(), 'x', ' ');
    std::istringstream sizes(text);
    std::vector<int64_t> shape;
    for (int64_t n; sizes >> n;) shape.push_back(n);
    inputs.push_back(dtype == "int64" ? at::full(shape, 1, at::kLong) : at::ones(shape));
  }
  torch::nativert::ModelRunnerHandle theirs(argv[2], "model");
  std::optional<torch::jit::Module> script;
  if (std::string(argv[3]) != "-") script = torch::jit::load(argv[3]), script->eval();

  std::vector<std::pair<const char*, std::function<void()>>> ways{
      {"rpx-agent", [&] { ours->forward(inputs); }}, {"nativert", [&] { theirs.run(inputs, {}); }}};
  if (script) ways.emplace_back("TorchScript", [&] { script->forward(inputs); });
  at::Tensor x = inputs[0].toTensor();
  if (std::string(argv[3]) == "-" && argc > 6 && std::string(argv[6]) == "relu") ways.emplace_back("direct", [&] { at::relu(x); });
  int rounds = std::atoi(argv[4]);
  std::vector<std::vector<double>> ns(ways.size());
  for (int round = -10; round < rounds; round++) {
    for (size_t i = 0; i < ways.size(); i++) {
      size_t w = (i + std::max(round, 0)) % ways.size();
      auto start = Clock::now();
      ways[w].second();
      auto end = Clock::now();
      if (round >= 0) ns[w].push_back(std::chrono::duration<double, std::nano>(end - start).count());
    }
  }
  for (size_t w = 0; w < ways.size(); w++) {
    std::sort(ns[w].begin(), ns[w].end());
    std::printf("%s %.0f\n", ways[w].first, ns[w][ns[w].size() / 2]);
  }
}
