// What the files of the facade share of a session.
#pragma once
#include <c10/core/Event.h>

#include <atomic>
#include <optional>

#include "between.h"
#include "device.h"
#include "model.h"

namespace rpx {

// The caller's memory for inputs and outputs, see loop.cpp.
struct Bound {
  struct Output {
    std::string path;
    std::vector<int64_t> sizes;
    c10::ScalarType type;
    void* memory;
    at::Tensor host;  // the same; only where the model is on a device
  };
  std::vector<std::pair<at::Tensor, at::Tensor>> inputs;  // on a device: the host's, the device's
  std::vector<Output> outputs;
  std::optional<c10::Event> done;  // on a device
  bool pending = false;
};

struct Session::State {
  State(std::unique_ptr<Model> model, c10::Device device) : model(std::move(model)), device(device) {}

  // Loads what make() makes onto a device.
  static State* open(const char* device, const std::function<std::unique_ptr<Model>(c10::Device)>& make);

  const std::unique_ptr<Model> model;
  const c10::Device device;
  std::vector<c10::IValue> inputs, outputs;
  // Where there are several: time() takes them in turns, and inputs is the first.
  std::vector<std::vector<c10::IValue>> sets;
  size_t turn = 0;
  std::vector<at::Tensor> packed;  // keeps alive what tensors() gave addresses of
  std::optional<c10::ScalarType> cast;
  std::vector<int64_t> as_loaded;  // the model's fingerprint as the file holds it
  Storages storages;
  Bound bound;
  int operator_threads = 0, blas_threads = 0;
  std::atomic<bool> cancelled{false};
  Between between;

  void load();
  // After loading or when the cast changes: casts, takes the fingerprint, numbers the weights' storages.
  void prepare();
  // Loads again if a forward changed a tensor or a plain attribute of the model.
  void restore();
  // One forward in inference mode on this session's threads.
  c10::IValue forward();
  void apply_threads() const;
  const std::vector<c10::IValue>& next_inputs() { return sets.empty() ? inputs : sets[turn++ % sets.size()]; }

  // guard() on the session's device. What ran out of memory leaves its device usable.
  template <class F>
  auto guarded(const char* code, F f) {
    try {
      return guard(code, [&] {
        OnDevice here(device);
        return f();
      });
    } catch (const Error& e) {
      if (is_out_of_memory(e)) outputs.clear(), packed.clear(), empty_cache(device);
      throw;
    }
  }
};

// Each tensor inside a value, with its path.
void each_tensor(const c10::IValue& value, const std::string& path,
                 const std::function<void(const at::Tensor&, const std::string&)>& each);

// Whether there is memory that holds the elements: not of sparse, opaque and meta tensors.
inline bool dense(const at::Tensor& t) { return t.layout() == at::kStrided && t.has_storage() && !t.is_meta(); }

// A dense tensor's elements, packed: without a lazy conjugation or negation, and the integers of a quantised one. Itself
// where it is so already.
at::Tensor plain(at::Tensor t);

// The lines of a text, an empty last one too.
std::vector<std::string> lines(const char* text);

void set_threads(int operators, int blas);

// The tensors inside a quantised module's packed weights, by LibTorch's own unpacking op; none for any other value.
std::vector<at::Tensor> unpacked(const c10::IValue& value);

}  // namespace rpx
