// What Python's operators do to sizes in an exported graph.
#include <cmath>
#include <unordered_map>

#include "program.h"

namespace rpx {

namespace {

using Arguments = const std::vector<c10::IValue>&;
using Function = c10::IValue (*)(Arguments);

bool whole(Arguments a) {
  for (auto& v : a)
    if (!v.isInt() && !v.isBool()) return false;
  return true;
}
int64_t integer(const c10::IValue& v) { return v.isBool() ? v.toBool() : v.toInt(); }
double real(const c10::IValue& v) { return v.isDouble() ? v.toDouble() : static_cast<double>(integer(v)); }
bool truth(const c10::IValue& v) { return v.isBool() ? v.toBool() : real(v) != 0; }

[[noreturn]] void overflow() { fail("INPUT", "a size of the program passes 64 bits"); }

template <class I, class R>
c10::IValue arithmetic(Arguments a, I on_integers, R on_reals) {
  if (!whole(a)) return on_reals(real(a.at(0)), real(a.at(1)));
  int64_t out;
  if (on_integers(integer(a.at(0)), integer(a.at(1)), &out)) overflow();
  return out;
}

int64_t divisor(const c10::IValue& v) {
  int64_t d = integer(v);
  if (d == 0) fail("INPUT", "the program divides a size by 0");
  return d;
}

// Python rounds towards minus infinity.
int64_t floor_divide(int64_t x, int64_t y) {
  if (y == -1) {
    int64_t out;
    if (__builtin_sub_overflow(int64_t(0), x, &out)) overflow();
    return out;
  }
  return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

c10::IValue rounded(double x) {
  if (!(std::abs(x) < 0x1p63)) overflow();
  return static_cast<int64_t>(x);
}

template <class F>
c10::IValue compared(Arguments a, F f) {
  return whole(a) ? f(integer(a.at(0)), integer(a.at(1))) : f(real(a.at(0)), real(a.at(1)));
}

c10::IValue power(Arguments a) {
  if (!whole(a) || integer(a.at(1)) < 0) return std::pow(real(a.at(0)), real(a.at(1)));
  int64_t base = integer(a.at(0)), out = 1;
  for (int64_t n = integer(a.at(1)); n > 0; n--) {
    if (__builtin_mul_overflow(out, base, &out)) overflow();
    if (out == 0 || out == 1) break;
    if (out == -1 && base == -1) return n % 2 ? int64_t(-1) : int64_t(1);
  }
  return out;
}

const std::unordered_map<std::string, Function>& functions() {
  static const std::unordered_map<std::string, Function> all{
      {"add", [](Arguments a) { return arithmetic(a, [](int64_t x, int64_t y, int64_t* o) { return __builtin_add_overflow(x, y, o); }, [](double x, double y) { return x + y; }); }},
      {"sub", [](Arguments a) { return arithmetic(a, [](int64_t x, int64_t y, int64_t* o) { return __builtin_sub_overflow(x, y, o); }, [](double x, double y) { return x - y; }); }},
      {"mul", [](Arguments a) { return arithmetic(a, [](int64_t x, int64_t y, int64_t* o) { return __builtin_mul_overflow(x, y, o); }, [](double x, double y) { return x * y; }); }},
      {"floordiv", [](Arguments a) { return whole(a) ? c10::IValue(floor_divide(integer(a.at(0)), divisor(a.at(1)))) : c10::IValue(std::floor(real(a.at(0)) / real(a.at(1)))); }},
      {"mod", [](Arguments a) -> c10::IValue {
         if (whole(a)) {
           int64_t y = divisor(a.at(1));
           return y == -1 ? int64_t(0) : integer(a.at(0)) - floor_divide(integer(a.at(0)), y) * y;
         }
         double x = real(a.at(0)), y = real(a.at(1));
         return x - std::floor(x / y) * y;
       }},
      {"truediv", [](Arguments a) -> c10::IValue { return real(a.at(0)) / real(a.at(1)); }},
      {"pow", power},
      {"neg", [](Arguments a) -> c10::IValue { return a.at(0).isDouble() ? c10::IValue(-a.at(0).toDouble()) : c10::IValue(floor_divide(integer(a.at(0)), -1)); }},
      {"pos", [](Arguments a) { return a.at(0); }},
      {"eq", [](Arguments a) { return compared(a, [](auto x, auto y) { return c10::IValue(x == y); }); }},
      {"ne", [](Arguments a) { return compared(a, [](auto x, auto y) { return c10::IValue(x != y); }); }},
      {"lt", [](Arguments a) { return compared(a, [](auto x, auto y) { return c10::IValue(x < y); }); }},
      {"le", [](Arguments a) { return compared(a, [](auto x, auto y) { return c10::IValue(x <= y); }); }},
      {"gt", [](Arguments a) { return compared(a, [](auto x, auto y) { return c10::IValue(x > y); }); }},
      {"ge", [](Arguments a) { return compared(a, [](auto x, auto y) { return c10::IValue(x >= y); }); }},
      {"and_", [](Arguments a) -> c10::IValue { return truth(a.at(0)) && truth(a.at(1)); }},
      {"or_", [](Arguments a) -> c10::IValue { return truth(a.at(0)) || truth(a.at(1)); }},
      {"not", [](Arguments a) -> c10::IValue { return !truth(a.at(0)); }},
      {"max", [](Arguments a) { return real(a.at(0)) >= real(a.at(1)) ? a.at(0) : a.at(1); }},
      {"min", [](Arguments a) { return real(a.at(0)) <= real(a.at(1)) ? a.at(0) : a.at(1); }},
      {"ite", [](Arguments a) { return truth(a.at(0)) ? a.at(1) : a.at(2); }},
      {"float", [](Arguments a) -> c10::IValue { return real(a.at(0)); }},
      {"int", [](Arguments a) { return a.at(0).isDouble() ? rounded(std::trunc(a.at(0).toDouble())) : c10::IValue(integer(a.at(0))); }},
      {"trunc", [](Arguments a) { return a.at(0).isDouble() ? rounded(std::trunc(a.at(0).toDouble())) : c10::IValue(integer(a.at(0))); }},
      {"ceil", [](Arguments a) { return a.at(0).isDouble() ? rounded(std::ceil(a.at(0).toDouble())) : c10::IValue(integer(a.at(0))); }},
      {"floor", [](Arguments a) { return a.at(0).isDouble() ? rounded(std::floor(a.at(0).toDouble())) : c10::IValue(integer(a.at(0))); }},
      {"sqrt", [](Arguments a) -> c10::IValue { return std::sqrt(real(a.at(0))); }},
      {"abs", [](Arguments a) { return real(a.at(0)) < 0 ? number("_operator::neg", a) : a.at(0); }},
  };
  return all;
}

// "_operator::not_" and "torch::sym_not" are one function; "and_" keeps its mark.
std::string plain(const std::string& name) {
  auto at = name.find("::");
  std::string room = at == std::string::npos ? "" : name.substr(0, at);
  std::string rest = at == std::string::npos ? name : name.substr(at + 2);
  if (rest.rfind("_sym_", 0) == 0) rest = rest.substr(1);
  if (rest.rfind("sym_", 0) == 0) rest = rest.substr(4);
  if (rest == "not_") rest = "not";
  bool python = room == "_operator" || room == "torch" || room == "math" || room == "builtins";
  return python ? rest : "";
}

}  // namespace

bool knows_number(const std::string& name) { return functions().count(plain(name)) > 0; }

c10::IValue number(const std::string& name, const std::vector<c10::IValue>& arguments) {
  auto found = functions().find(plain(name));
  if (found == functions().end()) fail("UNSUPPORTED", "the function " + name);
  try {
    return found->second(arguments);
  } catch (const std::out_of_range&) {
    fail("MODEL_FORMAT", name + " has too few arguments");
  }
}

}  // namespace rpx
