// One way out of native code for every exception: rpx::Error "CODE: text".
#pragma once
#include <c10/util/Exception.h>

#include <cctype>
#include <new>
#include <sstream>
#include <string>

#include "rpx.h"

namespace rpx {

// Where in a line "ValueError: " or "builtins.ValueError: " ends; 0 where the line does not begin so.
inline size_t error_name(const std::string& line) {
  auto colon = line.find(": ");
  if (colon == std::string::npos) return 0;
  for (size_t i = 0; i < colon; i++)
    if (!std::isalnum(static_cast<unsigned char>(line[i])) && line[i] != '.' && line[i] != '_') return 0;
  for (const std::string& end : {std::string("Error"), std::string("Exception")})
    if (colon >= end.size() && line.compare(colon - end.size(), end.size(), end) == 0) return colon + 2;
  return 0;
}

// LibTorch's own complaint in one line, without its traces: of a TorchScript error, what stands behind the last name of
// an error at the beginning of a line.
inline std::string complaint(std::string text) {
  // Traces, and CUDA's advice to whoever writes its kernels.
  for (const char* rest : {"\nException raised from", "\nSearch for `", "\nCUDA kernel errors might"}) text = text.substr(0, text.find(rest));
  std::string reason;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (auto named = error_name(line)) {
      reason = line.substr(named);
    } else {
      reason += '\n' + line;
    }
  }
  // What LibTorch guesses of a missing kernel, and all backends that have one.
  reason = reason.substr(0, reason.find(". This could be because"));
  std::string words, word;
  for (std::istringstream all(reason); all >> word;) words += (words.empty() ? "" : " ") + word;
  return words;
}

// TorchScript loses c10::OutOfMemoryError's type, so that only its text tells. CUDA's libraries, Jetson's allocator (an
// NVML assert) and SYCL have words of their own.
inline bool out_of_memory(const std::string& text) {
  for (const char* sign : {"out of memory", "not enough memory", "can't allocate memory", "bad_alloc", "STATUS_ALLOC_FAILED",
                           "DEVICE_ALLOCATION_FAILED", "cudaErrorMemoryAllocation", "NVML_SUCCESS ==", "OUT_OF_DEVICE_MEMORY", "OUT_OF_HOST_MEMORY"})
    if (text.find(sign) != std::string::npos) return true;
  return false;
}

// What a device's own libraries complain of is no fault of the input.
inline bool device_failed(const std::string& text) {
  for (const char* sign : {"CUDA error: ", "HIP error: ", "CUBLAS_STATUS_", "CUDNN_STATUS_", "cuDNN error", "cuBLAS error"})
    if (text.find(sign) != std::string::npos) return true;
  return false;
}

// No kernel: for this type, or for this backend.
inline bool unsupported(const std::string& text) {
  return text.find("not implemented for") != std::string::npos || text.find("Could not run '") != std::string::npos;
}

inline bool is_out_of_memory(const Error& e) { return std::string(e.what()).rfind("OUT_OF_MEMORY: ", 0) == 0; }

[[noreturn]] inline void fail(const char* code, const std::string& text) { throw Error(std::string(code) + ": " + text); }

// LibTorch's warnings are for whoever writes the model; on a user's stderr they would stand between error lines.
struct Silence : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

// Runs f; whatever it throws leaves as Error with this code, or OUT_OF_MEMORY, DEVICE or UNSUPPORTED where the text says
// so.
template <class F>
auto guard(const char* code, F f) {
  auto classified = [&](const std::string& text) {
    if (out_of_memory(text)) code = "OUT_OF_MEMORY";
    else if (device_failed(text)) code = "DEVICE";
    else if (unsupported(text)) code = "UNSUPPORTED";
    fail(code, complaint(text));
  };
  Silence silence;
  c10::WarningUtils::WarningHandlerGuard silent(&silence);
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
