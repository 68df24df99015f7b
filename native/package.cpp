// The compiled model of an AOTInductor package. Its code is opaque: nothing of what it does can be seen or counted.
#include <ATen/DynamicLibrary.h>
#include <torch/csrc/inductor/aoti_runner/model_container_runner_cpu.h>
#include <torch/version.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "session.h"

namespace rpx {

namespace {

// The code writes its complaints to std::cerr, and gives back no more than that it failed.
struct Complaints {
  explicit Complaints(std::stringbuf& into) : before(std::cerr.rdbuf(&into)) {}
  ~Complaints() { std::cerr.rdbuf(before); }
  std::streambuf* const before;
};

// Runs f; what the code complained of meanwhile is the reason why it failed.
template <class F>
auto said(std::stringbuf& text, const char* code, F f) -> decltype(f()) {
  text.str("");
  Complaints on(text);
  try {
    return f();
  } catch (const std::exception&) {
    if (text.str().empty()) throw;
    fail(code, complaint(text.str()));
  }
}

// AOTIModelPackageLoader would make this too, but leaves its temporary folder behind where loading fails.
class Runner : public torch::inductor::AOTIModelContainerRunnerCpu {
 public:
  explicit Runner(const std::string& library) : AOTIModelContainerRunnerCpu(library) {}

  // The code itself reads as many as it was compiled for, however many it is given.
  size_t inputs() {
    auto count = reinterpret_cast<decltype(&AOTInductorModelContainerGetNumInputs)>(
        model_so_->sym("AOTInductorModelContainerGetNumInputs"));
    size_t n = 0;
    if (count(container_handle_, &n) != 0) fail("MODEL_LOAD", "the package does not tell how many inputs it takes");
    return n;
  }
};

// What only newer ones can do (from torch 2.8 or so on): the first of two overloads is taken where it compiles.
template <class R>
auto read_weights(R& runner, const std::string& file, int) -> decltype(runner.update_constant_buffer_from_blob(file)) {
  return runner.update_constant_buffer_from_blob(file);
}
template <class R>
void read_weights(R&, const std::string&, long) {
  fail("UNSUPPORTED", std::string("LibTorch ") + TORCH_VERSION + " cannot read a package's separate file of weights: use a newer one, or compile the weights in");
}
template <class R>
auto constants(R& runner, int) -> decltype(runner.extract_constants_map(false)) {
  return runner.extract_constants_map(false);
}
template <class R>
std::map<std::string, at::Tensor> constants(R&, long) {
  return {};
}

class Package : public Model {
 public:
  Package(std::string library, std::string weights) : library_(std::move(library)), weights_(std::move(weights)) {}

  void load() override {
    // Without its own checks, inputs of another shape make the code read beyond their memory.
    setenv("AOTI_RUNTIME_CHECK_INPUTS", "1", 0);
    said(text_, "MODEL_LOAD", [&] {
      runner_ = std::make_unique<Runner>(library_);
      if (!weights_.empty()) read_weights(*runner_, weights_, 0);
      inputs_ = runner_->inputs();
    });
  }

  void cast(c10::ScalarType) override { fail("UNSUPPORTED", "compiled code cannot be cast: compile it in that precision"); }

  c10::IValue forward(std::vector<c10::IValue> inputs) override {
    std::vector<at::Tensor> tensors;
    tensors.reserve(inputs.size());
    for (auto& input : inputs) tensors.push_back(input.toTensor());
    if (tensors.size() != inputs_)
      fail("INPUT", "it takes " + std::to_string(inputs_) + (inputs_ == 1 ? " tensor, " : " tensors, ") + std::to_string(tensors.size()) + " given");
    auto outputs = said(text_, "INPUT", [&] { return runner_->run(tensors); });
    if (outputs.size() == 1) return std::move(outputs[0]);
    return c10::ivalue::Tuple::create(std::vector<c10::IValue>(outputs.begin(), outputs.end()));
  }

  // What a forward changes inside stays unseen.
  std::vector<int64_t> fingerprint() const override { return {}; }

  void signature(Columns& columns) const override {
    for (size_t i = 0; i < inputs_; i++) {
      columns.string("input" + std::to_string(i));
      columns.string("Tensor");
      columns.string("required");
    }
  }

  // Those that the code keeps: the compiler folds some, and writes small ones into the code. None where LibTorch does not tell.
  void weights(const Weight& each) const override {
    for (auto& [name, tensor] : constants(*runner_, 0)) each("constant", name, false, tensor, true);
  }

 private:
  const std::string library_, weights_;
  std::stringbuf text_;
  std::unique_ptr<Runner> runner_;
  size_t inputs_ = 0;
};

}  // namespace

std::unique_ptr<Model> package(const std::string& library, const std::string& weights, c10::Device) {
  return std::make_unique<Package>(library, weights);
}

}  // namespace rpx
