// One way out of native code for every exception: rpx::Error "CODE: text".
#pragma once
#include <c10/util/Exception.h>

#include <new>
#include <string>

#include "rpx.h"

namespace rpx {

// LibTorch's own complaint without its traces: of a TorchScript error, what stands after the last "RuntimeError: ".
inline std::string complaint(std::string text) {
  for (const char* mark : {"RuntimeError: ", "Error: "}) {
    auto at = text.rfind(mark);
    if (at != std::string::npos && (at == 0 || text[at - 1] == '\n' || mark[0] == 'R')) {
      text = text.substr(at + std::string(mark).size());
      break;
    }
  }
  auto trace = text.find("\nException raised from");
  if (trace != std::string::npos) text.resize(trace);
  std::string line;
  for (char c : text) {
    bool space = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!space) line += c;
    else if (!line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

// TorchScript loses c10::OutOfMemoryError's type, so that only its text tells.
inline bool out_of_memory(const std::string& text) {
  for (const char* sign : {"out of memory", "not enough memory", "can't allocate memory", "bad_alloc"})
    if (text.find(sign) != std::string::npos) return true;
  return false;
}

[[noreturn]] inline void fail(const char* code, const std::string& text) { throw Error(std::string(code) + ": " + text); }

// Runs f; whatever it throws leaves as Error with this code, or OUT_OF_MEMORY or UNSUPPORTED where the text says so.
template <class F>
auto guard(const char* code, F f) {
  auto classified = [&](const std::string& text) {
    if (out_of_memory(text)) code = "OUT_OF_MEMORY";
    else if (text.find("not implemented for") != std::string::npos) code = "UNSUPPORTED";
    fail(code, complaint(text));
  };
  try {
    return f();
  } catch (const Error&) {
    throw;
  } catch (const c10::Error& e) {
    classified(e.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    fail("OUT_OF_MEMORY", "the process could not get more memory");
  } catch (const std::exception& e) {
    classified(e.what());
  } catch (...) {
    fail("INTERNAL", "an exception of unknown type");
  }
  fail("INTERNAL", "unreachable");
}

}  // namespace rpx
