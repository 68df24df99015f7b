// A control loop's forward: its inputs and outputs lie in the caller's memory. Nothing here allocates but for a strided
// output, nothing waits but step() on a device.
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cstring>

#include "session.h"

namespace rpx {

namespace {

// each_tensor() without the paths, which are made of strings.
template <class F>
void each_leaf(const c10::IValue& value, const F& each) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) each(value.toTensor());
  } else if (value.isTuple()) {
    for (auto& item : value.toTupleRef().elements()) each_leaf(item, each);
  } else if (value.isList()) {
    for (auto& item : value.toListRef()) each_leaf(item, each);
  } else if (value.isGenericDict()) {
    for (auto& entry : value.toGenericDict()) each_leaf(entry.value(), each);
  }
}

at::Tensor view(int64_t address, const at::Tensor& like) {
  return at::from_blob(reinterpret_cast<void*>(address), like.sizes(), like.options().device(c10::kCPU));
}

std::string described(c10::ScalarType type, at::IntArrayRef sizes) {
  std::string text = Columns::dtype(type) + " [";
  for (size_t i = 0; i < sizes.size(); i++) text += (i ? ", " : "") + std::to_string(sizes[i]);
  return text + "]";
}

[[noreturn]] void another_count(size_t now, size_t was) {
  fail("UNSUPPORTED", "forward gave " + std::to_string(now) + " tensors, and " + std::to_string(was) +
                          " in the session's first run: a session's outputs keep their number and shapes; open another one");
}

void check(const Bound::Output& was, const at::Tensor& now, size_t index) {
  bool same = now.scalar_type() == was.type && now.sizes() == at::IntArrayRef(was.sizes);
  if (same && dense(now) && (now.is_cpu() || was.host.defined())) return;
  auto number = std::to_string(index);
  auto before = " in the session's first run: a session's outputs keep their shapes; open one for each shape";
  fail("UNSUPPORTED", "output " + number + (was.path.empty() || was.path == number ? "" : " (" + was.path + ")") + " is " +
                          described(now.scalar_type(), now.sizes()) +
                          (same ? ", and had another layout or device" : ", and was " + described(was.type, was.sizes)) + before);
}

void copy(const Bound::Output& to, const at::Tensor& from) {
  // On a device it becomes plain there: a copy that is not waited for would be resolved here before it has come.
  at::Tensor packed = plain(from);
  if (!from.is_cpu()) to.host.copy_(packed, true);
  else if (packed.nbytes() > 0) std::memcpy(to.memory, packed.const_data_ptr(), packed.nbytes());
}

// All are checked before the first is copied, so that a set of outputs is of one run.
void collect(const std::vector<Bound::Output>& outputs, const c10::IValue& result) {
  size_t n = 0;
  each_leaf(result, [&](const at::Tensor& t) {
    if (n < outputs.size()) check(outputs[n], t, n);
    n++;
  });
  if (n != outputs.size()) another_count(n, outputs.size());
  n = 0;
  each_leaf(result, [&](const at::Tensor& t) { copy(outputs[n++], t); });
}

}  // namespace

void Session::bind(bool outputs, const int64_t* addresses, int64_t n) {
  state->guarded("INTERNAL", [&] {
    auto& bound = state->bound;
    int64_t i = 0;
    auto next = [&] {
      if (i == n) fail("INTERNAL", "fewer addresses than tensors");
      return addresses[i++];
    };
    if (outputs) {
      bound.outputs.clear();
      for (auto& value : state->outputs)
        each_tensor(value, "", [&](const at::Tensor& t, const std::string& path) {
          auto address = next();
          Bound::Output out{path, t.sizes().vec(), t.scalar_type(), reinterpret_cast<void*>(address), at::Tensor()};
          if (!t.is_cpu()) out.host = view(address, plain(t));
          bound.outputs.push_back(std::move(out));
        });
      for (auto& value : state->outputs) collect(bound.outputs, value);
      synchronize(state->device);
      state->outputs.clear();
      state->packed.clear();
      if (!state->device.is_cpu()) bound.done.emplace(state->device.type());
      return;
    }
    bound.inputs.clear();
    for (auto& value : state->inputs)
      each_leaf(value, [&](const at::Tensor& t) {
        auto host = view(next(), t);
        host.copy_(t);
        // On the CPU the caller's memory becomes the tensor's own, wherever in a list or dict it stands.
        if (t.is_cpu()) t.set_(host.storage(), 0, host.sizes(), host.strides());
        else bound.inputs.emplace_back(std::move(host), t);
      });
  });
}

void Session::enqueue() {
  state->guarded("INPUT", [&] {
    auto& bound = state->bound;
    state->apply_threads();
    c10::InferenceMode inference;
    for (auto& [host, there] : bound.inputs) there.copy_(host, true);
    state->model->reset(state->inputs);
    collect(bound.outputs, state->model->forward(state->inputs));
    if (!bound.done) return;
    bound.done->record(c10::impl::VirtualGuardImpl(state->device.type()).getStream(state->device));
    bound.pending = true;
  });
}

bool Session::ready() {
  auto& bound = state->bound;
  if (bound.pending) bound.pending = !state->guarded("DEVICE", [&] { return bound.done->query(); });
  return !bound.pending;
}

void Session::step() {
  enqueue();
  auto& bound = state->bound;
  if (!bound.pending) return;
  state->guarded("DEVICE", [&] { bound.done->synchronize(); });
  bound.pending = false;
}

void Session::restore() { state->restore(); }

Memory::Memory(const char* device, int64_t bytes)
    : block(guard("OUT_OF_MEMORY", [&] {
        auto plain = at::empty({bytes}, at::kByte);
        try {
          OnDevice here{c10::Device(std::string(device))};
          return new at::Tensor(plain.pin_memory());
        } catch (const c10::Error&) {
          return new at::Tensor(plain);  // copies then wait; not every device pins
        }
      })) {}

Memory::~Memory() { delete static_cast<at::Tensor*>(block); }

int64_t Memory::address() const { return reinterpret_cast<int64_t>(static_cast<at::Tensor*>(block)->data_ptr()); }

struct Pairs::State {
  c10::Device device;
  Events events;
};

Pairs::Pairs(const char* device, int n)
    : state(guard("UNSUPPORTED", [&] {
        c10::Device where{std::string(device)};
        if (where.is_cpu()) fail("UNSUPPORTED", "the CPU has no timing events: its work is done when run() returns");
        OnDevice here(where);
        return new State{where, Events(where, n)};
      })) {}

Pairs::~Pairs() { delete state; }

void Pairs::start() {
  guard("DEVICE", [&] {
    OnDevice here(state->device);
    state->events.start();
  });
}

void Pairs::end() {
  guard("DEVICE", [&] {
    OnDevice here(state->device);
    state->events.end();
  });
}

int64_t Pairs::collect() {
  return guard("DEVICE", [&]() -> int64_t {
    OnDevice here(state->device);
    return state->events.ready() ? state->events.collect() : -1;
  });
}

}  // namespace rpx
