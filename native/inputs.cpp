// Inputs as a description has them: seeded, filled, in a range, or copied from the caller's memory.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>

#include <cstring>

#include "session.h"

namespace rpx {

c10::ScalarType scalar_type(const std::string& name) {
  auto& types = c10::getStringToDtypeMap();
  auto found = types.find(name);
  if (found == types.end()) fail("INPUT", "unknown dtype \"" + name + "\"");
  return found->second;
}

namespace {

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

  // Between the items of two sets stands the word "set".
  bool next_set() {
    if (words.at(*at) != "set") return false;
    at++;
    return true;
  }

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

}  // namespace

void Session::inputs(const int64_t* numbers, int64_t size, const char* text, int64_t seed) {
  state->guarded("INPUT", [&] {
    InputReader reader{numbers,     numbers + size, lines(text), at::make_generator<at::CPUGeneratorImpl>(seed),
                       state->cast, state->device};
    std::vector<std::vector<c10::IValue>> sets(1);
    while (reader.at != reader.end) {
      if (!reader.next_set()) {
        sets.back().push_back(reader.item());
        continue;
      }
      sets.emplace_back();
      // What is drawn beside the data of files is the same in every set.
      reader.generator = at::make_generator<at::CPUGeneratorImpl>(seed);
    }
    state->inputs = sets.front();
    if (sets.size() == 1) sets.clear();
    state->sets = std::move(sets);
    state->turn = 0;
  });
}

}  // namespace rpx
