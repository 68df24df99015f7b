// What the files of the facade share of a session.
#pragma once
#include <torch/csrc/jit/api/module.h>

#include <atomic>
#include <optional>

#include "columns.h"
#include "error.h"

namespace rpx {

struct Session::State {
  State(std::string path, c10::Device device) : path(std::move(path)), device(device) {}

  const std::string path;
  const c10::Device device;
  torch::jit::Module module;
  std::vector<c10::IValue> inputs, outputs;
  std::vector<at::Tensor> packed;  // keeps alive what tensors() gave addresses of
  std::optional<c10::ScalarType> cast;
  std::vector<int64_t> as_loaded;  // fingerprint() of the module as the file holds it
  Storages storages;
  int operator_threads = 0, blas_threads = 0;
  std::atomic<bool> cancelled{false};

  void load();
  // After loading or when the cast changes: casts, takes the fingerprint, numbers the weights' storages.
  void prepare();
  // Loads again if a forward changed a tensor or a plain attribute of the module.
  void restore();
  std::vector<int64_t> fingerprint() const;
  // One forward in inference mode on this session's threads.
  c10::IValue forward();
  void apply_threads() const;
};

void set_threads(int operators, int blas);

// The tensors inside a quantised module's packed weights, by LibTorch's own unpacking op; none for any other value.
std::vector<at::Tensor> unpacked(const c10::IValue& value);

}  // namespace rpx
