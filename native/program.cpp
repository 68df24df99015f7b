// Runs a torch.export graph node by node through the dispatcher: the same ops on any LibTorch and device.
#include "program.h"

#include <ATen/MapAllocator.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/CPUAllocator.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/version.h>

#include <cstring>
#include <fstream>
#include <map>
#include <set>

namespace rpx {

namespace {

struct WeightSpec {
  int64_t value;
  std::string kind, name;
  bool gradient;
  c10::ScalarType type;
  int64_t source, offset;
  std::vector<int64_t> sizes, strides;
};

struct Source {
  std::string record;
  enum { kPacked, kStored, kRegion } how;
  int64_t offset = 0, size = 0;  // of a region of the file
};

// Reads layout "program" (docs/native.md). What Java laid out is trusted to be well formed, not to fit this LibTorch.
class Reader {
 public:
  Reader(const std::vector<int64_t>& numbers, const std::vector<std::string>& words, c10::Device device)
      : numbers_(numbers), words_(words), device_(device) {}

  int64_t next() {
    if (at_ >= numbers_.size()) fail("INTERNAL", "a program's layout ends too early");
    return numbers_[at_++];
  }
  bool more() const { return at_ < numbers_.size(); }
  const std::string& word() { return words_.at(next()); }
  int64_t id() {
    int64_t id = next();
    if (id < 0 || id >= values) fail("INTERNAL", "a program's layout names a value that it has not");
    return id;
  }
  template <class F>
  void times(F f) {
    for (int64_t n = next(); n > 0; n--) f();
  }
  std::vector<int64_t> ids() {
    std::vector<int64_t> all;
    times([&] { all.push_back(id()); });
    return all;
  }

  Operand operand() {
    Operand out;
    switch (next()) {
      case 0: break;
      case 1: out.value = id(); break;
      case 2: out.constant = next(); break;
      case 3: {
        int64_t bits = next();
        double d;
        std::memcpy(&d, &bits, sizeof d);
        out.constant = d;
        break;
      }
      case 4: out.constant = next() != 0; break;
      case 5: out.constant = word(); break;
      case 6: {
        out.item_type = c10::AnyType::get();
        times([&] { out.items.push_back(operand()); });
        break;
      }
      case 7: out.constant = static_cast<int64_t>(scalar_type(word())); break;
      case 8: out.constant = device_; break;
      default: fail("INTERNAL", "a program's layout holds an unknown kind of value");
    }
    return out;
  }

  std::vector<Operand> operands() {
    std::vector<Operand> all;
    times([&] { all.push_back(operand()); });
    return all;
  }

  Block block() {
    Block block;
    block.inputs = ids();
    times([&] { block.nodes.push_back(node()); });
    block.outputs = operands();
    return block;
  }

  int64_t values = 0;
  std::set<std::string> missing;  // ops and arguments that this LibTorch has not

 private:
  Node node() {
    Node node;
    node.kind = static_cast<Node::Kind>(next());
    switch (node.kind) {
      case Node::kOp: op(node); break;
      case Node::kNumber:
        node.name = word();
        if (!knows_number(node.name)) missing.insert(node.name);
        node.operands = operands();
        break;
      case Node::kBranch:
        node.operands.push_back(operand());
        node.blocks.push_back(block());
        node.blocks.push_back(block());
        for (auto& o : operands()) node.operands.push_back(std::move(o));
        break;
      case Node::kLoop:
        node.blocks.push_back(block());
        node.blocks.push_back(block());
        node.operands = operands();
        node.carried = static_cast<int64_t>(node.operands.size());
        for (auto& o : operands()) node.operands.push_back(std::move(o));
        break;
      case Node::kAutocast:
        node.name = word();
        node.operands.push_back(operand());
        node.operands.push_back(operand());
        node.blocks.push_back(block());
        for (auto& o : operands()) node.operands.push_back(std::move(o));
        break;
      default: fail("INTERNAL", "a program's layout holds an unknown kind of node");
    }
    times([&] {
      node.listed.push_back(next() != 0);
      std::vector<int64_t> ids;
      times([&] {
        int64_t id = next();
        if (id >= values) fail("INTERNAL", "a program's layout names a value that it has not");
        ids.push_back(id);
      });
      node.results.push_back(std::move(ids));
    });
    node.dead = ids();
    return node;
  }

  void op(Node& node) {
    const std::string name = word(), overload = word();
    const std::string title = name + (overload.empty() ? "" : "." + overload);
    node.op = c10::Dispatcher::singleton().findSchema({name, overload});
    if (!node.op) missing.insert(title);
    if (node.op)
      for (auto& a : node.op->schema().arguments()) node.stack.push_back(a.default_value().value_or(c10::IValue()));
    std::set<size_t> given;
    times([&] {
      const std::string argument = word();
      Operand value = operand();
      if (!node.op) return;
      auto& schema = node.op->schema();
      auto index = schema.argumentIndexWithName(argument);
      if (!index) {
        missing.insert(title + "'s argument " + argument);
        return;
      }
      given.insert(*index);
      fit(value, schema.arguments()[*index].type());
      if (value.changes()) node.fill.emplace_back(*index, std::move(value));
      else node.stack[*index] = std::move(value.constant);
    });
    if (!node.op) return;
    auto& arguments = node.op->schema().arguments();
    for (size_t i = 0; i < arguments.size(); i++)
      if (!given.count(i) && !arguments[i].default_value() && arguments[i].type()->kind() != c10::TypeKind::OptionalType)
        missing.insert(title + " without its argument " + arguments[i].name());
  }

  // Makes a constant what the schema wants of it, and a list without values of the program a constant.
  static void fit(Operand& operand, c10::TypePtr type) {
    if (auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
    if (operand.item_type) {
      auto list = type->cast<c10::ListType>();
      operand.item_type = list ? list->getElementType() : c10::AnyType::get();
      bool constant = true;
      for (auto& item : operand.items) {
        fit(item, operand.item_type);
        constant &= !item.changes();
      }
      if (!constant) return;
      c10::impl::GenericList items(operand.item_type);
      for (auto& item : operand.items) items.push_back(item.constant);
      operand = Operand();
      operand.constant = items;
    } else if (operand.value < 0 && operand.constant.isScalar()) {
      operand.constant = number_as(operand.constant, type);
    }
  }

 public:
  // A graph holds bare numbers where a schema wants a tensor ("mul.Tensor(x, 2)") or a float.
  static c10::IValue number_as(const c10::IValue& v, const c10::TypePtr& type) {
    if (type->kind() == c10::TypeKind::FloatType) return v.toScalar().toDouble();
    if (type->kind() != c10::TypeKind::TensorType) return v;
    auto scalar = v.toScalar();
    auto tensor = at::scalar_tensor(scalar, at::TensorOptions().dtype(scalar.isFloatingPoint() ? at::kDouble : scalar.isBoolean() ? at::kBool : at::kLong));
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    return tensor;
  }

 private:
  const std::vector<int64_t>& numbers_;
  const std::vector<std::string>& words_;
  const c10::Device device_;
  size_t at_ = 0;
};

// A record's bytes: the file's own pages where it lies stored and aligned, a copy where it is compressed.
class Bytes {
 public:
  explicit Bytes(const std::string& path) : path_(path) {}

  c10::Storage read(const Source& source) {
    constexpr size_t kAlign = 64;
    bool region = source.how == Source::kRegion;
    size_t size = region ? source.size : reader().getRecordSize(source.record);
    size_t offset = region ? source.offset : source.how == Source::kStored && size > 0 ? reader().getRecordOffset(source.record) : 1;
    if (size > 0 && offset % kAlign == 0 && size <= map_size() && offset <= map_size() - size) {
      auto* base = static_cast<char*>(map_->get());
      auto* keep = new std::shared_ptr<at::DataPtr>(map_);
      at::DataPtr part(base + offset, keep, [](void* kept) { delete static_cast<std::shared_ptr<at::DataPtr>*>(kept); },
                       c10::Device(c10::kCPU));
      return c10::Storage(c10::Storage::use_byte_size_t(), size, std::move(part), nullptr, false);
    }
    if (region) {
      auto data = c10::GetCPUAllocator()->allocate(size);
      std::ifstream file(path_, std::ios::binary);
      if (size > 0 && !file.seekg(source.offset).read(static_cast<char*>(data.get()), source.size))
        fail("MODEL_LOAD", "its weights end too early; copy or export it again");
      return c10::Storage(c10::Storage::use_byte_size_t(), size, std::move(data), nullptr, false);
    }
    auto [data, read] = reader().getRecord(source.record);
    return c10::Storage(c10::Storage::use_byte_size_t(), read, std::move(data), nullptr, false);
  }

 private:
  // Not before it is needed: it refuses the archives of torch 2.7 and older, whose members are in no folder.
  caffe2::serialize::PyTorchStreamReader& reader() {
    if (!reader_) reader_.emplace(path_);
    return *reader_;
  }

  size_t map_size() {
    // Private: what a forward writes stays in this process.
    if (!map_) map_ = std::make_shared<at::DataPtr>(at::MapAllocator::makeDataPtr(path_, 0, 0, &size_));
    return size_;
  }

  const std::string path_;
  std::optional<caffe2::serialize::PyTorchStreamReader> reader_;
  std::shared_ptr<at::DataPtr> map_;
  size_t size_ = 0;
};

class Program : public Model {
 public:
  Program(std::string path, c10::Device device, std::vector<int64_t> numbers, std::vector<std::string> words)
      : path_(std::move(path)), device_(device) {
    Reader reader(numbers, words, device);
    reader.values = reader.next();
    reader.times([&] {
      Source source;
      source.record = reader.word();
      source.how = static_cast<decltype(source.how)>(reader.next());
      if (source.how == Source::kRegion) source.offset = reader.next(), source.size = reader.next();
      sources_.push_back(std::move(source));
    });
    reader.times([&] {
      WeightSpec w;
      w.value = reader.id();
      w.kind = reader.word();
      w.name = reader.word();
      w.gradient = reader.next() != 0;
      w.type = scalar_type(reader.word());
      w.source = reader.next();
      w.offset = reader.next();
      int64_t rank = reader.next();
      for (int64_t i = 0; i < rank; i++) w.sizes.push_back(reader.next());
      for (int64_t i = 0; i < rank; i++) w.strides.push_back(reader.next());
      specs_.push_back(std::move(w));
    });
    changed_ = reader.ids();
    main_ = reader.block();
    if (!reader.missing.empty()) {
      std::string all;
      for (auto& each : reader.missing) all += (all.empty() ? "" : ", ") + each;
      fail("UNSUPPORTED", "LibTorch " TORCH_VERSION " has no " + all);
    }
    values_.resize(reader.values);
    is_weight_.resize(reader.values);
    for (auto& w : specs_) is_weight_[w.value] = true;
  }

  void load() override {
    Bytes bytes(path_);
    // Each to the device once, however many weights share it.
    std::vector<at::Tensor> stored;
    for (auto& source : sources_) {
      auto raw = at::empty({0}, at::kByte);
      raw.set_(bytes.read(source));
      stored.push_back(raw.to(device_));
    }
    weights_.clear();
    for (auto& w : specs_) {
      weights_.push_back(weight(stored.at(w.source), w));
      values_[w.value] = weights_.back();
    }
    saved_.clear();
  }

  void cast(c10::ScalarType type) override {
    std::map<void*, at::Tensor> once;
    for (size_t i = 0; i < weights_.size(); i++) {
      auto& weight = weights_[i];
      if (!weight.is_floating_point()) continue;
      // Tied weights stay tied where they are whole.
      auto& cast = once[weight.storage_offset() == 0 ? weight.storage().unsafeGetStorageImpl() : static_cast<void*>(&weight)];
      if (!cast.defined() || cast.sizes() != weight.sizes() || cast.strides() != weight.strides()) cast = weight.to(type);
      weight = cast;
      values_[specs_[i].value] = weight;
    }
    saved_.clear();
  }

  // The first call after loading, or with other inputs, keeps what a forward is going to change.
  void reset(const std::vector<c10::IValue>& inputs) override {
    if (changed_.empty()) return;
    for (size_t i = 0; i < inputs.size() && i < main_.inputs.size(); i++) values_[main_.inputs[i]] = inputs[i];
    for (int64_t id : changed_) {
      if (!values_[id].isTensor()) continue;
      auto tensor = values_[id].toTensor();
      auto& [of, before] = saved_[id];
      if (of.is_same(tensor)) tensor.copy_(before);
      else before = (of = tensor).clone();
    }
  }

  c10::IValue forward(std::vector<c10::IValue> inputs) override {
    if (inputs.size() != main_.inputs.size()) fail("INPUT", "the program takes " + std::to_string(main_.inputs.size()) + " tensors");
    for (size_t i = 0; i < inputs.size(); i++) values_[main_.inputs[i]] = std::move(inputs[i]);
    try {
      run(main_);
      auto out = outputs(main_);
      leave(main_);
      return c10::ivalue::Tuple::create(std::move(out));
    } catch (...) {
      forget(main_);
      throw;
    }
  }

  std::vector<int64_t> fingerprint() const override {
    std::vector<int64_t> marks;
    for (auto& w : weights_) marks.push_back(w.is_inference() ? 0 : static_cast<int64_t>(w._version()));
    return marks;
  }

  void weights(const Weight& each) const override {
    for (size_t i = 0; i < specs_.size(); i++)
      each(specs_[i].kind.c_str(), specs_[i].name, specs_[i].gradient, weights_[i], true);
  }

 private:
  c10::IValue value(const Operand& operand) const {
    if (operand.value >= 0) return values_[operand.value];
    if (!operand.item_type) return operand.constant;
    c10::impl::GenericList list(operand.item_type);
    list.reserve(operand.items.size());
    for (auto& item : operand.items) list.push_back(value(item));
    return list;
  }

  std::vector<c10::IValue> outputs(const Block& block) const {
    std::vector<c10::IValue> out;
    out.reserve(block.outputs.size());
    for (auto& operand : block.outputs) out.push_back(value(operand));
    return out;
  }

  void enter(const Block& block, std::vector<c10::IValue> inputs) {
    if (inputs.size() != block.inputs.size()) fail("MODEL_FORMAT", "a graph inside the program takes another number of values");
    for (size_t i = 0; i < inputs.size(); i++) values_[block.inputs[i]] = std::move(inputs[i]);
  }

  std::vector<c10::IValue> call(const Block& block, std::vector<c10::IValue> inputs) {
    enter(block, std::move(inputs));
    run(block);
    auto out = outputs(block);
    leave(block);
    return out;
  }

  // Frees what is left at a block's end: all else died behind its last use.
  void leave(const Block& block) {
    for (int64_t id : block.inputs) values_[id] = c10::IValue();
    for (auto& operand : block.outputs)
      if (operand.value >= 0 && !is_weight_[operand.value]) values_[operand.value] = c10::IValue();
  }

  // Frees whatever an exception left.
  void forget(const Block& block) {
    leave(block);
    for (auto& node : block.nodes) {
      for (auto& ids : node.results)
        for (int64_t id : ids)
          if (id >= 0) values_[id] = c10::IValue();
      for (auto& inner : node.blocks) forget(inner);
    }
  }

  void run(const Block& block) {
    for (auto& node : block.nodes) {
      switch (node.kind) {
        case Node::kOp: dispatch(node); break;
        case Node::kNumber: put(node, {rpx::number(node.name, given(node.operands, 0, node.operands.size()))}); break;
        case Node::kBranch: {
          auto& taken = node.blocks[truth(value(node.operands[0])) ? 0 : 1];
          put(node, call(taken, given(node.operands, 1, node.operands.size())));
          break;
        }
        case Node::kLoop: loop(node); break;
        case Node::kAutocast: autocast(node); break;
      }
      for (int64_t id : node.dead) values_[id] = c10::IValue();
    }
  }

  void dispatch(const Node& node) {
    auto& stack = stack_;
    stack.assign(node.stack.begin(), node.stack.end());
    for (auto& [index, operand] : node.fill) {
      stack[index] = value(operand);
      if (stack[index].isScalar()) stack[index] = Reader::number_as(stack[index], node.op->schema().arguments()[index].type());
    }
    node.op->callBoxed(stack);
    size_t count = std::min(node.results.size(), stack.size());
    for (size_t i = 0; i < count; i++) {
      auto& ids = node.results[i];
      if (!node.listed[i]) {
        if (ids[0] >= 0) values_[ids[0]] = std::move(stack[i]);
        continue;
      }
      auto items = stack[i].toListRef();
      if (items.size() != ids.size()) fail("MODEL_FORMAT", node.op->schema().name() + " gives another number of values than the program takes");
      for (size_t j = 0; j < ids.size(); j++)
        if (ids[j] >= 0) values_[ids[j]] = items[j];
    }
    stack.clear();
  }

  void put(const Node& node, std::vector<c10::IValue> made) {
    size_t at = 0;
    for (auto& ids : node.results)
      for (int64_t id : ids) {
        if (at == made.size()) fail("MODEL_FORMAT", "a graph inside the program gives too few values");
        if (id >= 0) values_[id] = std::move(made[at]);
        at++;
      }
  }

  std::vector<c10::IValue> given(const std::vector<Operand>& operands, size_t from, size_t to) const {
    std::vector<c10::IValue> all;
    for (size_t i = from; i < to; i++) all.push_back(value(operands[i]));
    return all;
  }

  static bool truth(const c10::IValue& v) { return v.isTensor() ? v.toTensor().item().toBool() : v.toScalar().toBool(); }

  void loop(const Node& node) {
    auto carried = given(node.operands, 0, node.carried);
    auto extra = given(node.operands, node.carried, node.operands.size());
    auto all = [&] {
      auto inputs = carried;
      inputs.insert(inputs.end(), extra.begin(), extra.end());
      return inputs;
    };
    while (truth(call(node.blocks[0], all()).at(0))) carried = call(node.blocks[1], all());
    put(node, std::move(carried));
  }

  void autocast(const Node& node) {
    struct Mode {
      c10::DeviceType device;
      bool enabled;
      at::ScalarType type;
      explicit Mode(c10::DeviceType d) : device(d), enabled(at::autocast::is_autocast_enabled(d)), type(at::autocast::get_autocast_dtype(d)) {
        at::autocast::increment_nesting();
      }
      ~Mode() {
        if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(device, enabled);
        at::autocast::set_autocast_dtype(device, type);
      }
    } mode(device_.is_cpu() ? c10::Device(node.name).type() : device_.type());  // it was exported for the CPU, or another device
    auto type = value(node.operands[0]);
    if (type.isInt()) at::autocast::set_autocast_dtype(mode.device, static_cast<at::ScalarType>(type.toInt()));
    at::autocast::set_autocast_enabled(mode.device, value(node.operands[1]).toBool());
    put(node, call(node.blocks[0], given(node.operands, 2, node.operands.size())));
  }

  // A weight in the memory of its source. Not every device can take over a storage, but all have views.
  static at::Tensor weight(const at::Tensor& raw, const WeightSpec& w) {
    if (raw.is_cpu()) return at::empty({0}, at::TensorOptions().dtype(w.type)).set_(raw.storage(), w.offset, w.sizes, w.strides);
    auto item = static_cast<int64_t>(c10::elementSize(w.type));
    return raw.narrow(0, 0, raw.numel() / item * item).view(w.type).as_strided(w.sizes, w.strides, w.offset);
  }

  const std::string path_;
  const c10::Device device_;
  std::vector<Source> sources_;
  std::vector<WeightSpec> specs_;
  std::vector<at::Tensor> weights_;
  std::vector<int64_t> changed_;
  std::map<int64_t, std::pair<at::Tensor, at::Tensor>> saved_;  // of the changed values: which tensor, and its content
  Block main_;
  std::vector<c10::IValue> values_;
  std::vector<bool> is_weight_;
  torch::jit::Stack stack_;
};

}  // namespace

std::unique_ptr<Model> exported(const std::string& path, c10::Device device, std::vector<int64_t> numbers,
                                std::vector<std::string> words) {
  return std::make_unique<Program>(path, device, std::move(numbers), std::move(words));
}

}  // namespace rpx
