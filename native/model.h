// What a session runs: a TorchScript module, a program that torch.export saved, or the code of an AOTInductor package.
#pragma once
#include <ATen/core/ivalue.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "columns.h"
#include "error.h"

namespace rpx {

struct Model {
  virtual ~Model() = default;
  // Reads the file: at first, and again after a forward that changed what it holds.
  virtual void load() = 0;
  // Casts floating-point weights; again after each load().
  virtual void cast(c10::ScalarType type) = 0;
  // Puts back what a forward changes in place, where that can be told before it runs. Not timed.
  virtual void reset(const std::vector<c10::IValue>& /*inputs*/) {}
  virtual c10::IValue forward(std::vector<c10::IValue> inputs) = 0;
  // Differs after a forward that changed a weight or a plain attribute.
  virtual std::vector<int64_t> fingerprint() const = 0;
  // forward's arguments (layout "signature"); none where the caller knows them.
  virtual void signature(Columns&) const {}

  // kind, name, whether it wants a gradient, tensor, whether its memory is the model's own (not unpacked for this call).
  using Weight = std::function<void(const char*, const std::string&, bool, const at::Tensor&, bool)>;
  virtual void weights(const Weight& each) const = 0;
};

c10::ScalarType scalar_type(const std::string& name);

std::unique_ptr<Model> torchscript(const std::string& path, c10::Device device);
// A flat program (layout "program"); weights come from the archive at path.
std::unique_ptr<Model> exported(const std::string& path, c10::Device device, std::vector<int64_t> numbers,
                                std::vector<std::string> words);
// The model of that name in an archive with an AOTInductor package, whose weights may lie in a file of their own: native
// code, which runs as it loads.
std::unique_ptr<Model> package(const std::string& archive, const std::string& name, bool weights);

}  // namespace rpx
