// A TorchScript module as LibTorch's interpreter runs it.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/serialization/import.h>

#include <optional>

#include "session.h"

namespace rpx {

namespace {

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

// Tracing writes the device that it ran on into the program ("zeros(…, device=cpu)"): loading to another device leaves
// that as it is, and its tensors would not meet.
void move_constants(torch::jit::Block* block, c10::Device device) {
  for (auto* node : block->nodes()) {
    if (node->kind() == c10::prim::Constant && !node->outputs().empty() && node->output()->type()->kind() == c10::TypeKind::DeviceObjType &&
        node->hasAttribute(c10::attr::value))
      node->s_(c10::attr::value, device.str());
    for (auto* inner : node->blocks()) move_constants(inner, device);
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

class TorchScript : public Model {
 public:
  TorchScript(std::string path, c10::Device device) : path_(std::move(path)), device_(device) {}

  void load() override {
    module_ = torch::jit::load(path_, device_);
    if (!module_.find_method("forward")) fail("MODEL_LOAD", "the module has no forward method");
    module_.eval();
    if (!device_.is_cpu())
      for (const auto& part : module_.modules())
        for (const auto& method : part.get_methods()) move_constants(method.graph()->block(), device_);
    forward_ = module_.get_method("forward");
  }

  void cast(c10::ScalarType type) override {
    if (module_.parameters().size() == 0 && holds_constants(module_)) fail("UNSUPPORTED", "a frozen module's constants cannot be cast: export it in that precision");
    // Not Module::to, which casts integer buffers too.
    auto convert = [&](at::Tensor t) {
      if (t.is_floating_point()) t.set_data(t.detach().to(type));
    };
    for (const auto& p : module_.parameters()) convert(p);
    for (const auto& b : module_.buffers()) convert(b);
  }

  c10::IValue forward(std::vector<c10::IValue> inputs) override { return (*forward_)(std::move(inputs)); }

  std::vector<int64_t> fingerprint() const override {
    std::vector<int64_t> marks;
    c10::IValue(module_._ivalue()).visit([&](const c10::IValue& v) {
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

  void signature(Columns& columns) const override {
    // The first is the module, whatever the program calls it.
    for (auto& argument : c10::ArrayRef<c10::Argument>(forward_->function().getSchema().arguments()).slice(1)) {
      columns.string(argument.name());
      columns.string(argument.type()->repr_str());
      columns.string(argument.default_value() ? "default" : "required");
    }
  }

  void weights(const Weight& each) const override {
    for (const auto& p : module_.named_parameters()) each("parameter", p.name, p.value.requires_grad(), p.value, true);
    for (const auto& b : module_.named_buffers()) each("buffer", b.name, b.value.requires_grad(), b.value, true);
    constants(forward_->graph()->block(), [&](const at::Tensor& t) { each("constant", "", t.requires_grad(), t, true); });
    for (const auto& a : module_.named_attributes())
      for (auto& t : unpacked(a.value)) each("packed", a.name, false, t, false);
  }

 private:
  const std::string path_;
  const c10::Device device_;
  torch::jit::Module module_;
  std::optional<torch::jit::Method> forward_;
};

}  // namespace

std::unique_ptr<Model> torchscript(const std::string& path, c10::Device device) {
  return std::make_unique<TorchScript>(path, device);
}

}  // namespace rpx
