#include "session.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/serialization/import.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <sstream>

namespace rpx {

namespace {

c10::ScalarType scalar_type(const std::string& name) {
  auto& types = c10::getStringToDtypeMap();
  auto found = types.find(name);
  if (found == types.end()) fail("INPUT", "unknown dtype \"" + name + "\"");
  return found->second;
}

std::vector<std::string> split(const char* text) {
  std::vector<std::string> lines;
  // The last line ends too, so that an empty one counts.
  std::istringstream in(std::string(text) + '\n');
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Reads layout "inputs": a tensor | "tuple" n items | "list" n items | "dict" n (key item)s, where a tensor is a kind of
// values, dtype, rank, sizes, and what the kind takes; words and keys as indices into the strings.
struct InputReader {
  const int64_t* at;
  const int64_t* end;
  std::vector<std::string> words;
  at::Generator generator;
  std::optional<c10::ScalarType> cast;
  c10::Device device;

  int64_t next() {
    if (at == end) fail("INTERNAL", "an input description ends too early");
    return *at++;
  }
  const std::string& word() { return words.at(next()); }

  at::Tensor tensor(const std::string& kind) {
    auto type = scalar_type(word());
    std::vector<int64_t> sizes(next());
    for (auto& size : sizes) size = next();
    return values(kind, type, sizes).to(device, cast && c10::isFloatingType(type) ? *cast : type);
  }

  at::Tensor values(const std::string& kind, c10::ScalarType type, const std::vector<int64_t>& sizes) {
    bool real = c10::isFloatingType(type);
    if (kind == "fill") {
      auto bits = next();
      double number;
      std::memcpy(&number, &bits, sizeof number);
      return at::full(sizes, real ? at::Scalar(number) : at::Scalar(bits), type);
    }
    if (kind == "range") {
      auto low = next(), high = next();
      return at::randint(low, high, sizes, generator, type);
    }
    if (kind == "data") {
      auto* from = reinterpret_cast<const void*>(next());
      auto bytes = next();
      auto copy = at::empty(sizes, type);
      if (static_cast<int64_t>(copy.nbytes()) != bytes) fail("INTERNAL", "an input's data has another size than its shape");
      if (bytes > 0) std::memcpy(copy.data_ptr(), from, bytes);
      return copy;
    }
    if (real) return at::rand(sizes, generator, at::kFloat);
    return at::full(sizes, type == at::kBool ? 1 : 0, type);
  }

  c10::IValue item() {
    auto kind = word();
    if (kind != "tuple" && kind != "list" && kind != "dict") return tensor(kind);
    auto n = next();
    if (kind == "dict") {
      c10::Dict<std::string, at::Tensor> dict;
      while (n-- > 0) {
        auto key = word();
        dict.insert(key, item().toTensor());
      }
      return dict;
    }
    std::vector<c10::IValue> items;
    while (n-- > 0) items.push_back(item());
    if (kind == "tuple") return c10::ivalue::Tuple::create(std::move(items));
    c10::List<at::Tensor> list;
    for (auto& i : items) list.push_back(i.toTensor());
    return list;
  }
};

void constants(torch::jit::Block* block, const std::function<void(const at::Tensor&)>& each) {
  for (auto* node : block->nodes()) {
    if (node->kind() == c10::prim::Constant && !node->outputs().empty()) {
      auto value = torch::jit::toIValue(node->output());
      if (value) value->visit([&](const c10::IValue& v) {
        if (v.isTensor() && v.toTensor().defined()) each(v.toTensor());
        return false;
      });
    }
    for (auto* inner : node->blocks()) constants(inner, each);
  }
}

bool holds_constants(const torch::jit::Module& module) {
  bool any = false;
  constants(module.get_method("forward").graph()->block(), [&](const at::Tensor& t) { any |= t.is_floating_point(); });
  return any;
}

}  // namespace

std::vector<at::Tensor> unpacked(const c10::IValue& value) {
  static const std::pair<const char*, const char*> ops[] = {{"LinearPackedParamsBase", "quantized::linear_unpack"},
                                                            {"Conv2dPackedParamsBase", "quantized::conv2d_unpack"},
                                                            {"Conv3dPackedParamsBase", "quantized::conv3d_unpack"}};
  std::vector<at::Tensor> tensors;
  if (!value.isCustomClass()) return tensors;
  auto type = value.type()->repr_str();
  for (auto& [holder, op] : ops) {
    if (type.find(holder) == std::string::npos) continue;
    torch::jit::Stack stack{value};
    c10::Dispatcher::singleton().findSchemaOrThrow(op, "").callBoxed(stack);
    for (auto& v : stack)
      if (v.isTensor() && v.toTensor().defined()) tensors.push_back(v.toTensor());
  }
  return tensors;
}

namespace {

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

}  // namespace

void Session::State::load() {
  guard("MODEL_LOAD", [&] {
    module = torch::jit::load(path, device);
    if (!module.find_method("forward")) fail("MODEL_LOAD", "the module has no forward method");
    module.eval();
    prepare();
  });
}

void Session::State::prepare() {
  if (cast) {
    if (module.parameters().size() == 0 && holds_constants(module)) fail("UNSUPPORTED", "a frozen module's constants cannot be cast: export it in that precision");
    // Not Module::to, which casts integer buffers too.
    auto convert = [&](at::Tensor t) {
      if (t.is_floating_point()) t.set_data(t.detach().to(*cast));
    };
    for (const auto& p : module.parameters()) convert(p);
    for (const auto& b : module.buffers()) convert(b);
  }
  as_loaded = fingerprint();
  // Numbered first and always alike, so that no tensor of a trace gets a weight's number.
  storages = Storages();
  for (const auto& p : module.parameters()) storages.id(p);
  for (const auto& b : module.buffers()) storages.id(b);
  constants(module.get_method("forward").graph()->block(), [&](const at::Tensor& t) { storages.id(t); });
}

std::vector<int64_t> Session::State::fingerprint() const {
  std::vector<int64_t> marks;
  c10::IValue(module._ivalue()).visit([&](const c10::IValue& v) {
    if (v.isTensor()) {
      auto& t = v.toTensor();
      marks.push_back(reinterpret_cast<int64_t>(t.unsafeGetTensorImpl()));
      if (t.defined() && !t.is_inference()) marks.push_back(static_cast<int64_t>(t._version()));
    } else if (v.isInt()) {
      marks.push_back(v.toInt());
    } else if (v.isDouble()) {
      marks.push_back(static_cast<int64_t>(std::hash<double>()(v.toDouble())));
    } else if (v.isBool()) {
      marks.push_back(v.toBool());
    }
    return false;
  });
  return marks;
}

void Session::State::restore() {
  if (guard("INTERNAL", [&] { return fingerprint(); }) != as_loaded) load();
}

c10::IValue Session::State::forward() {
  apply_threads();
  c10::InferenceMode inference;
  return module.forward(inputs);
}

Session::Session(const char* path, const char* device) : state(nullptr) {
  state = guard("MODEL_LOAD", [&] {
    c10::Device where = guard("DEVICE", [&] { return c10::Device(std::string(device)); });
    if (!where.is_cpu()) fail("DEVICE", std::string("no ") + device + ": this build measures on the CPU only; use cpu");
    auto made = std::make_unique<State>(path, where);
    made->load();
    return made.release();
  });
}

Session::~Session() { delete state; }

void Session::signature(Record* out) const {
  guard("INTERNAL", [&] {
    Columns columns(*out, state->storages);
    for (auto& argument : state->module.get_method("forward").function().getSchema().arguments()) {
      if (argument.name() == "self") continue;
      columns.string(argument.name());
      columns.string(argument.type()->repr_str());
      columns.string(argument.default_value() ? "default" : "required");
    }
    columns.finish();
  });
}

void Session::weights(Record* out) const {
  guard("INTERNAL", [&] {
    Columns columns(*out, state->storages);
    auto add = [&](const std::string& kind, const std::string& name, const at::Tensor& t) {
      bool packed = kind == "packed";
      columns.string(kind);
      columns.string(name);
      columns.number(!packed && t.requires_grad());
      columns.tensor(t, !packed);
    };
    for (const auto& p : state->module.named_parameters()) add("parameter", p.name, p.value);
    for (const auto& b : state->module.named_buffers()) add("buffer", b.name, b.value);
    constants(state->module.get_method("forward").graph()->block(), [&](const at::Tensor& t) { add("constant", "", t); });
    for (const auto& a : state->module.named_attributes())
      for (auto& t : unpacked(a.value)) add("packed", a.name, t);
    columns.finish();
  });
}

void Session::cast(const char* dtype) {
  guard("UNSUPPORTED", [&] {
    state->cast = scalar_type(dtype);
    state->prepare();
  });
}

void Session::inputs(const int64_t* numbers, int64_t size, const char* text, int64_t seed) {
  guard("INPUT", [&] {
    InputReader reader{numbers,     numbers + size, split(text), at::make_generator<at::CPUGeneratorImpl>(seed),
                       state->cast, state->device};
    std::vector<c10::IValue> made;
    while (reader.at != reader.end) made.push_back(reader.item());
    state->inputs = std::move(made);
  });
}

void Session::tensors(bool outputs, Record* out) {
  guard("INTERNAL", [&] {
    Columns columns(*out, state->storages);
    c10::InferenceMode inference;
    state->packed.clear();
    int index = 0;
    for (auto& value : outputs ? state->outputs : state->inputs)
      each_tensor(value, outputs ? "" : std::to_string(index++), [&](const at::Tensor& t, const std::string& path) {
        state->packed.push_back(t.cpu().contiguous());  // itself, where it is so already
        columns.string(path);
        columns.number(reinterpret_cast<int64_t>(state->packed.back().data_ptr()));
        columns.number(static_cast<int64_t>(t.nbytes()));
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
  return guard("INPUT", [&] {
    state->outputs.clear();
    auto start = std::chrono::steady_clock::now();
    auto out = state->forward();
    auto end = std::chrono::steady_clock::now();
    state->outputs.push_back(std::move(out));
    return std::chrono::nanoseconds(end - start).count();
  });
}

void Session::cancel() { state->cancelled = true; }

}  // namespace rpx
