// The compiled model of an AOTInductor package. Its code is opaque: nothing of what it does can be seen or counted.
#include <ATen/DynamicLibrary.h>
#include <torch/version.h>
#if __has_include(<torch/csrc/inductor/aoti_package/model_package_loader.h>)
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#define RPX_LOADS_PACKAGES
#endif

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>

#include "session.h"

namespace rpx {

#ifdef RPX_LOADS_PACKAGES

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
  } catch (const std::exception& e) {
    // The loader's own reasons are in what it throws; warnings may stand in the text then.
    if (text.str().empty() || !std::strstr(e.what(), "API call failed")) throw;
    fail(code, complaint(text.str()));
  }
}

using torch::inductor::AOTIModelContainerRunner;
using torch::inductor::AOTIModelPackageLoader;

// The code itself reads as many inputs as it was compiled for, however many it is given; the loader does not tell.
struct Code : AOTIModelContainerRunner {
  static size_t inputs(AOTIModelContainerRunner& runner) {
    auto count = reinterpret_cast<decltype(&AOTInductorModelContainerGetNumInputs)>(
        (runner.*(&Code::model_so_))->sym("AOTInductorModelContainerGetNumInputs"));
    size_t n = 0;
    if (count(runner.*(&Code::container_handle_), &n) != 0) fail("MODEL_LOAD", "the package does not tell how many inputs it takes");
    return n;
  }
};

// What only newer ones can do (from torch 2.8 or so on): the first of two overloads is taken where it compiles.
template <class R>
auto reads_weights(R& runner, int) -> decltype(runner.update_constant_buffer_from_blob(""), bool()) {
  return true;
}
template <class R>
bool reads_weights(R&, long) {
  return false;
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
  Package(std::string archive, std::string name, bool weights)
      : archive_(std::move(archive)), name_(std::move(name)), weights_(weights) {}

  void load() override {
    // Without its own checks, inputs of another shape make the code read beyond their memory.
    setenv("AOTI_RUNTIME_CHECK_INPUTS", "1", 0);
    said(text_, "MODEL_LOAD", [&] {
      loader_ = std::make_unique<AOTIModelPackageLoader>(archive_, name_);
      // A loader that knows no such file has left it out.
      if (weights_ && !reads_weights(*loader_->get_runner(), 0))
        fail("UNSUPPORTED", std::string("LibTorch ") + TORCH_VERSION + " cannot read a package's separate file of weights: use a newer one, or compile the weights in");
      inputs_ = Code::inputs(*loader_->get_runner());
    });
  }

  void cast(c10::ScalarType) override { fail("UNSUPPORTED", "compiled code cannot be cast: compile it in that precision"); }

  c10::IValue forward(std::vector<c10::IValue> inputs) override {
    std::vector<at::Tensor> tensors;
    tensors.reserve(inputs.size());
    for (auto& input : inputs) tensors.push_back(input.toTensor());
    if (tensors.size() != inputs_)
      fail("INPUT", "it takes " + std::to_string(inputs_) + (inputs_ == 1 ? " tensor, " : " tensors, ") + std::to_string(tensors.size()) + " given");
    auto outputs = said(text_, "INPUT", [&] { return loader_->run(tensors); });
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
    for (auto& [name, tensor] : constants(*loader_->get_runner(), 0)) each("constant", name, false, tensor, true);
  }

 private:
  const std::string archive_, name_;
  const bool weights_;
  std::stringbuf text_;
  std::unique_ptr<AOTIModelPackageLoader> loader_;
  size_t inputs_ = 0;
};

}  // namespace

std::unique_ptr<Model> package(const std::string& archive, const std::string& name, bool weights) {
  return std::make_unique<Package>(archive, name, weights);
}

#else

std::unique_ptr<Model> package(const std::string&, const std::string&, bool) {
  fail("UNSUPPORTED", std::string("LibTorch ") + TORCH_VERSION + " cannot load AOTInductor packages: use 2.7 or a newer one");
}

#endif

}  // namespace rpx
