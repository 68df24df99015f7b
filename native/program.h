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

// Sizes and truth values, as Python reckons them: "_operator::floordiv", "torch::sym_max", "math::ceil".
bool knows_number(const std::string& name);
c10::IValue number(const std::string& name, const std::vector<c10::IValue>& arguments);

}  // namespace rpx
