#include "session.h"

#include <ATen/ops/conj_physical.h>
#include <ATen/ops/neg.h>
#include <c10/core/InferenceMode.h>

#include <chrono>
#include <functional>
#include <sstream>

namespace rpx {

std::vector<std::string> lines(const char* text) {
  std::vector<std::string> all;
  // The last line ends too, so that an empty one counts.
  std::istringstream in(std::string(text) + '\n');
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

void each_tensor(const c10::IValue& value, const std::string& path,
                 const std::function<void(const at::Tensor&, const std::string&)>& each) {
  auto under = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  if (value.isTensor()) {
    if (value.toTensor().defined()) each(value.toTensor(), path);
  } else if (value.isTuple()) {
    int i = 0;
    for (auto& item : value.toTupleRef().elements()) each_tensor(item, under(std::to_string(i++)), each);
  } else if (value.isList()) {
    int i = 0;
    for (c10::IValue item : value.toListRef()) each_tensor(item, under(std::to_string(i++)), each);
  } else if (value.isGenericDict()) {
    for (auto& entry : value.toGenericDict())
      each_tensor(entry.value(), under(entry.key().isString() ? entry.key().toStringRef() : "?"), each);
  }
}

// Not by resolve_conj(): its copy of a lazy tensor is what backends outside LibTorch's tree may answer with another one,
// without end.
at::Tensor plain(at::Tensor t) {
  bool conjugated = t.is_conj(), negated = t.is_neg();
  if (conjugated) t = t.conj();
  if (negated) t = t._neg_view();
  if (conjugated) t = at::conj_physical(t);
  if (negated) t = at::neg(t);
  if (t.is_quantized()) t = t.int_repr();
  return t.contiguous();
}

namespace {

std::string unreadable(const at::Tensor& t) {
  if (t.is_meta()) return "is a meta tensor, which has no values";
  if (dense(t)) return "";
  std::ostringstream why;
  why << "has layout " << t.layout() << ", whose elements lie in no memory of its own: have the model give back a dense one (to_dense())";
  return why.str();
}

}  // namespace

void Session::State::load() {
  guarded("MODEL_LOAD", [&] {
    model->load();
    prepare();
  });
}

void Session::State::prepare() {
  if (cast) model->cast(*cast);
  as_loaded = model->fingerprint();
  // Numbered first and always alike, so that no tensor of a trace gets a weight's number.
  storages = Storages();
  model->weights([&](const char*, const std::string&, bool, const at::Tensor& t, bool own) {
    if (own) storages.id(t);
  });
}

void Session::State::restore() {
  if (guarded("INTERNAL", [&] { return model->fingerprint(); }) != as_loaded) load();
}

c10::IValue Session::State::forward() {
  apply_threads();
  c10::InferenceMode inference;
  model->reset(inputs);
  return model->forward(inputs);
}

Session::State* Session::State::open(const char* device, const std::function<std::unique_ptr<Model>(c10::Device)>& make) {
  return guard("MODEL_LOAD", [&] {
    std::string why;
    c10::Device where = find_device(device, &why);
    auto made = std::make_unique<State>(make(where), where);
    try {
      made->load();
    } catch (const Error&) {
      made.reset();
      empty_cache(where);
      throw;
    }
    return made.release();
  });
}

Session::Session(const char* path, const char* device)
    : state(State::open(device, [&](c10::Device where) { return torchscript(path, where); })) {}

Session::Session(const char* path, const char* device, const int64_t* numbers, int64_t size, const char* text)
    : state(State::open(device, [&](c10::Device where) {
        return exported(path, where, std::vector<int64_t>(numbers, numbers + size), lines(text));
      })) {}

Session::Session(const char* archive, const char* device, const char* model, bool weights)
    : state(State::open(device, [&](c10::Device) { return package(archive, model, weights); })) {}

Session::~Session() {
  auto device = state->device;
  try {
    if (state->bound.pending) synchronize(device);  // it copies from and to memory of others
  } catch (...) {
    // A device that failed copies no more.
  }
  delete state;
  empty_cache(device);  // others on the device want it
}

void Session::signature(Record* out) const {
  guard("INTERNAL", [&] {
    Columns columns(*out, state->storages);
    state->model->signature(columns);
    columns.finish();
  });
}

void Session::weights(Record* out) const {
  guard("INTERNAL", [&] {
    Columns columns(*out, state->storages);
    state->model->weights([&](const char* kind, const std::string& name, bool gradient, const at::Tensor& t, bool own) {
      columns.string(kind);
      columns.string(name);
      columns.number(gradient);
      columns.tensor(t, own);
    });
    columns.finish();
  });
}

void Session::cast(const char* dtype) {
  state->guarded("UNSUPPORTED", [&] {
    state->cast = scalar_type(dtype);
    state->prepare();
  });
}

void Session::tensors(bool outputs, Record* out) {
  state->guarded("INTERNAL", [&] {
    Columns columns(*out, state->storages);
    c10::InferenceMode inference;
    state->packed.clear();
    int index = 0;
    for (auto& value : outputs ? state->outputs : state->inputs)
      each_tensor(value, outputs ? "" : std::to_string(index++), [&](const at::Tensor& t, const std::string& path) {
        auto why = unreadable(t);
        state->packed.push_back(why.empty() ? plain(t).cpu() : at::Tensor());
        auto& packed = state->packed.back();
        columns.string(path);
        columns.string(why);
        columns.number(why.empty() ? reinterpret_cast<int64_t>(packed.data_ptr()) : 0);
        columns.number(why.empty() ? static_cast<int64_t>(packed.nbytes()) : 0);
        columns.tensor(t);
      });
    columns.finish();
  });
}

void Session::threads(int operators, int blas) {
  state->operator_threads = operators;
  state->blas_threads = blas;
}

void Session::State::apply_threads() const { set_threads(operator_threads, blas_threads); }

int64_t Session::run() {
  return state->guarded("INPUT", [&] {
    state->outputs.clear();
    state->apply_threads();
    c10::InferenceMode inference;
    state->model->reset(state->inputs);
    auto start = std::chrono::steady_clock::now();
    auto out = state->model->forward(state->inputs);
    synchronize(state->device);
    auto end = std::chrono::steady_clock::now();
    state->outputs.push_back(std::move(out));
    return std::chrono::nanoseconds(end - start).count();
  });
}

void Session::cancel() { state->cancelled = true; }

}  // namespace rpx
