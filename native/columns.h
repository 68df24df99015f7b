// Builds a Record: numbers, interned strings, and tensors described once each.
#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <unordered_map>

#include "rpx.h"

namespace rpx {

// Names storages by numbers that stay unique although memory is reused: a weak reference keeps the address taken.
class Storages {
 public:
  int64_t id(const at::Tensor& tensor) {
    if (!tensor.has_storage()) return -1;
    auto storage = tensor.storage().getWeakStorageImpl();
    return ids_.try_emplace(tensor.storage().unsafeGetStorageImpl(), std::move(storage), ids_.size()).first->second.second;
  }

 private:
  using Entry = std::pair<c10::weak_intrusive_ptr<c10::StorageImpl>, int64_t>;
  std::unordered_map<c10::StorageImpl*, Entry> ids_;
};

class Columns {
 public:
  Columns(Record& out, Storages& storages) : out_(out), storages_(storages) {
    out_.numbers_.assign(1, 0);
    out_.text_.assign(1, '\0');
  }

  void number(int64_t n) { out_.numbers_.push_back(n); }

  void string(const std::string& s) {
    auto [at, fresh] = strings_.try_emplace(s, strings_.size());
    if (fresh) {
      auto& text = out_.text_;
      text.back() = '\n';  // where the last string's end was
      if (!at->second) text.pop_back();
      for (char c : s) text.push_back(c == '\n' ? ' ' : c);
      text.push_back('\0');
    }
    number(at->second);
  }

  // own_storage is false for a tensor made for this record alone: its memory says nothing about the model's.
  void tensor(const at::Tensor& t, bool own_storage = true) {
    // Strides stand only where LibTorch has them (not for sparse or opaque tensors).
    bool strided = t.layout() == at::kStrided && t.has_storage();
    std::vector<int64_t> row{static_cast<int64_t>(t.scalar_type()), own_storage ? storages_.id(t) : -1, strided ? t.storage_offset() : 0,
                             strided ? static_cast<int64_t>(t.storage().nbytes()) : -1, t.dim()};
    row.insert(row.end(), t.sizes().begin(), t.sizes().end());
    if (strided) row.insert(row.end(), t.strides().begin(), t.strides().end());
    else row.insert(row.end(), t.dim(), -1);
    auto [at, fresh] = tensors_.try_emplace(std::move(row), tensors_.size());
    if (fresh) order_.push_back(&at->first);
    number(at->second);
  }

  // Ends the record: the first number says where the tensors begin.
  void finish() {
    out_.numbers_[0] = out_.size();
    number(order_.size());
    for (auto* row : order_) {
      auto type = static_cast<c10::ScalarType>((*row)[0]);
      string(dtype(type));
      number(static_cast<int64_t>(c10::elementSize(type)));
      out_.numbers_.insert(out_.numbers_.end(), row->begin() + 1, row->end());
    }
  }

  // PyTorch's own names: float32, int64, bfloat16, qint8 ...
  static std::string dtype(c10::ScalarType type) { return std::string(c10::getDtypeNames(type).first); }

 private:
  Record& out_;
  Storages& storages_;
  std::unordered_map<std::string, int64_t> strings_;
  std::map<std::vector<int64_t>, int64_t> tensors_;
  std::vector<const std::vector<int64_t>*> order_;
};

}  // namespace rpx
