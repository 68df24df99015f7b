// Runs a torch.export graph node by node through the dispatcher: the same ops on any LibTorch and device.
#include "program.h"

#include <ATen/autocast_mode.h>
#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <map>

namespace rpx {

namespace {

class Program : public Model {
 public:
  Program(std::string path, c10::Device device, Layout layout) : path_(std::move(path)), device_(device), layout_(std::move(layout)) {
    values_.resize(layout_.values);
    is_weight_.resize(layout_.values);
    for (auto& w : layout_.weights) is_weight_[w.value] = true;
  }

  void load() override {
    // Each to the device once, however many weights share it.
    std::vector<at::Tensor> stored;
    for (auto& storage : read(path_, layout_.sources)) {
      auto raw = at::empty({0}, at::kByte);
      raw.set_(storage);
      stored.push_back(raw.to(device_));
    }
    weights_.clear();
    for (auto& w : layout_.weights) {
      weights_.push_back(weight(stored.at(w.source), w));
      values_[w.value] = weights_.back();
    }
    saved_.clear();
  }

  void cast(c10::ScalarType type) override {
    c10::NoGradGuard leaves;
    std::map<void*, at::Tensor> once;
    for (size_t i = 0; i < weights_.size(); i++) {
      auto& weight = weights_[i];
      if (!weight.is_floating_point()) continue;
      // Tied weights stay tied where they are whole.
      auto& cast = once[weight.storage_offset() == 0 ? weight.storage().unsafeGetStorageImpl() : static_cast<void*>(&weight)];
      if (!cast.defined() || cast.sizes() != weight.sizes() || cast.strides() != weight.strides()) cast = weight.to(type).set_requires_grad(weight.requires_grad());
      weight = cast;
      values_[layout_.weights[i].value] = weight;
    }
    saved_.clear();
  }

  // The first call after loading, or with other inputs, keeps what a forward is going to change.
  void reset(const std::vector<c10::IValue>& inputs) override {
    numbers_.clear();
    for (int64_t i : layout_.numbers) numbers_.push_back(inputs.at(i).toTensor().item());
    if (layout_.changed.empty()) return;
    c10::NoGradGuard none;
    for (size_t i = 0; i < inputs.size() && i < layout_.main.inputs.size(); i++) values_[layout_.main.inputs[i]] = inputs[i];
    for (int64_t id : layout_.changed) {
      if (!values_[id].isTensor()) continue;
      auto tensor = values_[id].toTensor();
      // Sets of inputs take turns: each tensor has a copy of its own.
      auto& [of, before] = saved_[{id, tensor.unsafeGetTensorImpl()}];
      if (of.defined()) tensor.copy_(before);
      else before = (of = tensor).clone();
    }
  }

  c10::IValue forward(std::vector<c10::IValue> inputs) override {
    auto& main = layout_.main;
    for (size_t i = 0; i < numbers_.size(); i++) inputs[layout_.numbers[i]] = numbers_[i];
    try {
      return c10::ivalue::Tuple::create(call(main, std::move(inputs)));
    } catch (...) {
      for (size_t i = 0; i < values_.size(); i++)
        if (!is_weight_[i]) values_[i] = c10::IValue();
      throw;
    }
  }

  std::vector<int64_t> fingerprint() const override {
    std::vector<int64_t> marks;
    for (auto& w : weights_) marks.push_back(w.is_inference() ? 0 : static_cast<int64_t>(w._version()));
    return marks;
  }

  void weights(const Weight& each) const override {
    for (size_t i = 0; i < weights_.size(); i++) {
      auto& w = layout_.weights[i];
      each(w.kind.c_str(), w.name, w.gradient, weights_[i], true);
    }
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

  std::vector<c10::IValue> given(const std::vector<Operand>& operands, size_t from, size_t to) const {
    std::vector<c10::IValue> all;
    all.reserve(to - from);
    for (size_t i = from; i < to; i++) all.push_back(value(operands[i]));
    return all;
  }

  std::vector<c10::IValue> call(const Block& block, std::vector<c10::IValue> inputs) {
    if (inputs.size() != block.inputs.size())
      fail("INPUT", "a graph takes " + std::to_string(block.inputs.size()) + " values, " + std::to_string(inputs.size()) + " given");
    for (size_t i = 0; i < inputs.size(); i++) values_[block.inputs[i]] = std::move(inputs[i]);
    run(block);
    auto out = given(block.outputs, 0, block.outputs.size());
    // What is left at a block's end: all else died behind its last use.
    for (int64_t id : block.inputs) values_[id] = c10::IValue();
    for (auto& operand : block.outputs)
      if (operand.value >= 0 && !is_weight_[operand.value]) values_[operand.value] = c10::IValue();
    return out;
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
      if (stack[index].isScalar()) stack[index] = number_as(stack[index], node.op->schema().arguments()[index].type());
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

  // Kernels ask whether a weight is to be trained (matmul folds its batch then), so that it is marked as it was.
  static at::Tensor weight(const at::Tensor& raw, const WeightSpec& w) {
    auto tensor = view(raw, w);
    bool real = c10::isFloatingType(w.type) || c10::isComplexType(w.type);
    return w.gradient && real ? tensor.set_requires_grad(true) : tensor;
  }

  // A weight in the memory of its source. Not every device can take over a storage, but all have views.
  static at::Tensor view(const at::Tensor& raw, const WeightSpec& w) {
    if (raw.is_cpu()) return at::empty({0}, at::TensorOptions().dtype(w.type)).set_(raw.storage(), w.offset, w.sizes, w.strides);
    auto item = static_cast<int64_t>(c10::elementSize(w.type));
    return raw.narrow(0, 0, raw.numel() / item * item).view(w.type).as_strided(w.sizes, w.strides, w.offset);
  }

  const std::string path_;
  const c10::Device device_;
  const Layout layout_;
  std::vector<at::Tensor> weights_;
  std::vector<c10::IValue> numbers_;  // of the inputs that are numbers
  // Of the changed values: which tensor, and its content.
  std::map<std::pair<int64_t, c10::TensorImpl*>, std::pair<at::Tensor, at::Tensor>> saved_;
  std::vector<c10::IValue> values_;
  std::vector<bool> is_weight_;
  torch::jit::Stack stack_;
};

}  // namespace

std::unique_ptr<Model> exported(const std::string& path, c10::Device device, std::vector<int64_t> numbers,
                                std::vector<std::string> words) {
  return std::make_unique<Program>(path, device, read_layout(numbers, words, device));
}

}  // namespace rpx
