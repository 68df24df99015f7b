// A torch.export graph as Java lays it out (layout "program"), resolved against the LibTorch at hand.
#pragma once
#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>

#include "model.h"

namespace rpx {

// An argument, or an item of one: a constant, a value of the program, or a list that holds some of those.
struct Operand {
  int64_t value = -1;  // index of the program's value; -1 for a constant
  c10::IValue constant;
  std::vector<Operand> items;
  c10::TypePtr item_type;  // of a list that holds values; null for anything else

  bool changes() const { return value >= 0 || item_type; }
};

struct Block;

struct Node {
  enum Kind { kOp, kNumber, kBranch, kLoop, kAutocast } kind;
  // kOp: all arguments in the schema's order, those that are no constants to be filled in.
  std::optional<c10::OperatorHandle> op;
  std::vector<c10::IValue> stack;
  std::vector<std::pair<size_t, Operand>> fill;
  // kNumber: a function on sizes. kAutocast: the device's type.
  std::string name;
  // kNumber: its arguments. kBranch: condition, operands. kLoop: carried, then constant operands. kAutocast: dtype or
  // none, enabled, operands.
  std::vector<Operand> operands;
  std::vector<Block> blocks;
  int64_t carried = 0;
  // Results: one value each, or a list of them; -1 for none.
  std::vector<std::vector<int64_t>> results;
  std::vector<bool> listed;
  std::vector<int64_t> dead;  // values that nothing uses after this
};

struct Block {
  std::vector<int64_t> inputs;
  std::vector<Node> nodes;
  std::vector<Operand> outputs;
};

// Where the bytes of weights lie: a record of the archive, compressed or stored, or a region of the file.
struct Source {
  std::string record;
  enum { kPacked, kStored, kRegion } how;
  int64_t offset = 0, size = 0;  // of a region
};

struct WeightSpec {
  int64_t value;
  std::string kind, name;
  bool gradient;
  c10::ScalarType type;
  int64_t source, offset;
  std::vector<int64_t> sizes, strides;
};

struct Layout {
  int64_t values = 0;
  std::vector<Source> sources;
  std::vector<WeightSpec> weights;
  std::vector<int64_t> changed;  // weights and inputs that a forward writes to
  std::vector<int64_t> numbers;  // places of the inputs that are numbers
  Block main;
};

// layout.cpp. Throws UNSUPPORTED with all that cannot be run here.
Layout read_layout(const std::vector<int64_t>& numbers, const std::vector<std::string>& words, c10::Device device);
// A graph holds bare numbers where a schema wants a tensor ("mul.Tensor(x, 2)") or a float.
c10::IValue number_as(const c10::IValue& number, const c10::TypePtr& type);

// sources.cpp. Each source's bytes.
std::vector<c10::Storage> read(const std::string& archive, const std::vector<Source>& sources);

// number.cpp. Sizes and truth values, as Python reckons them: "_operator::floordiv", "torch::sym_max", "math::ceil".
bool knows_number(const std::string& name);
c10::IValue number(const std::string& name, const std::vector<c10::IValue>& arguments);

}  // namespace rpx
