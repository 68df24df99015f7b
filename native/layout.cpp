// Reads layout "program" (docs/native.md), and looks up what it names in the LibTorch at hand.
#include <ATen/ScalarOps.h>
#include <torch/version.h>

#include <cstring>
#include <set>

#include "program.h"

namespace rpx {

namespace {

constexpr size_t kMostNamed = 20;  // of what cannot be run; a file may name any number

// What Java laid out is trusted to be well formed, not to fit this LibTorch.
class Reader {
 public:
  Reader(const std::vector<int64_t>& numbers, const std::vector<std::string>& words, c10::Device device)
      : numbers_(numbers), words_(words), device_(device) {}

  Layout layout() {
    Layout out;
    out.values = values_ = next();
    times([&] { out.sources.push_back(source()); });
    times([&] { out.weights.push_back(weight()); });
    out.changed = ids();
    times([&] { out.numbers.push_back(next()); });
    out.main = block();
    std::vector<std::string> refused;
    times([&] { refused.push_back(word()); });
    refuse(refused, next());
    return out;
  }

 private:
  int64_t next() {
    if (at_ >= numbers_.size()) fail("INTERNAL", "a program's layout ends too early");
    return numbers_[at_++];
  }
  const std::string& word() { return words_.at(next()); }
  int64_t id(bool maybe = false) {
    int64_t id = next();
    if ((id < 0 && !maybe) || id >= values_) fail("INTERNAL", "a program's layout names a value that it has not");
    return id;
  }
  template <class F>
  void times(F f) {
    for (int64_t n = next(); n > 0; n--) f();
  }
  std::vector<int64_t> ids(bool maybe = false) {
    std::vector<int64_t> all;
    times([&] { all.push_back(id(maybe)); });
    return all;
  }

  Source source() {
    Source source;
    source.record = word();
    source.how = static_cast<decltype(source.how)>(next());
    if (source.how == Source::kRegion) source.offset = next(), source.size = next();
    return source;
  }

  WeightSpec weight() {
    WeightSpec w;
    w.value = id();
    w.kind = word();
    w.name = word();
    w.gradient = next() != 0;
    w.type = scalar_type(word());
    w.source = next();
    w.offset = next();
    int64_t rank = next();
    for (int64_t i = 0; i < rank; i++) w.sizes.push_back(next());
    for (int64_t i = 0; i < rank; i++) w.strides.push_back(next());
    return w;
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
      case 6:
        out.item_type = c10::AnyType::get();
        out.items = operands();
        break;
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

  Node node() {
    Node node;
    auto more = [&] {
      for (auto& o : operands()) node.operands.push_back(std::move(o));
    };
    node.kind = static_cast<Node::Kind>(next());
    switch (node.kind) {
      case Node::kOp: op(node); break;
      case Node::kNumber:
        node.name = word();
        if (!knows_number(node.name)) missing_.insert(node.name);
        more();
        break;
      case Node::kBranch:
        node.operands.push_back(operand());
        node.blocks.push_back(block());
        node.blocks.push_back(block());
        more();
        break;
      case Node::kLoop:
        node.blocks.push_back(block());
        node.blocks.push_back(block());
        more();
        node.carried = static_cast<int64_t>(node.operands.size());
        more();
        break;
      case Node::kAutocast:
        node.name = word();
        node.operands.push_back(operand());
        node.operands.push_back(operand());
        node.blocks.push_back(block());
        more();
        break;
      default: fail("INTERNAL", "a program's layout holds an unknown kind of node");
    }
    times([&] {
      node.listed.push_back(next() != 0);
      node.results.push_back(ids(true));
    });
    node.dead = ids();
    return node;
  }

  void op(Node& node) {
    const std::string name = word(), overload = word();
    const std::string title = name + (overload.empty() ? "" : "." + overload);
    node.op = c10::Dispatcher::singleton().findSchema({name, overload});
    if (!node.op) missing_.insert(title);
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
        missing_.insert(title + "'s argument " + argument);
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
        missing_.insert(title + " without its argument " + arguments[i].name());
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

  // All at once: what Java found, and what LibTorch has not.
  void refuse(const std::vector<std::string>& refused, int64_t more) const {
    std::string all;
    auto list = [&](const std::string& title, const auto& each, int64_t left_out) {
      if (each.empty()) return;
      all += (all.empty() ? "" : "; ") + title;
      size_t n = 0;
      for (auto i = each.begin(); i != each.end() && n < kMostNamed; ++i) all += (n++ ? ", " : "") + *i;
      left_out += static_cast<int64_t>(each.size() - n);
      if (left_out > 0) all += " and " + std::to_string(left_out) + " more";
    };
    list("LibTorch " TORCH_VERSION " has no ", missing_, 0);
    list("these cannot be run here: ", refused, more);
    if (!all.empty()) fail("UNSUPPORTED", all);
  }

  const std::vector<int64_t>& numbers_;
  const std::vector<std::string>& words_;
  const c10::Device device_;
  size_t at_ = 0;
  int64_t values_ = 0;
  std::set<std::string> missing_;  // ops and arguments that this LibTorch has not
};

}  // namespace

Layout read_layout(const std::vector<int64_t>& numbers, const std::vector<std::string>& words, c10::Device device) {
  return Reader(numbers, words, device).layout();
}

c10::IValue number_as(const c10::IValue& number, const c10::TypePtr& type) {
  if (type->kind() == c10::TypeKind::FloatType) return number.toScalar().toDouble();
  if (type->kind() != c10::TypeKind::TensorType) return number;
  return at::native::wrapped_scalar_tensor(number.toScalar());
}

}  // namespace rpx
