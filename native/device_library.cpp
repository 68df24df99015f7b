#include "device_library.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <unistd.h>

#include <mutex>
#include <string>

#include "error.h"

namespace rpx {

namespace {

#ifdef __APPLE__
constexpr const char* kEnding = ".dylib";
#else
constexpr const char* kEnding = ".so";
#endif

void open(const std::string& path) {
  static std::mutex one_at_a_time;
  std::lock_guard<std::mutex> hold(one_at_a_time);
  // Global, as Python's is: libraries of custom ops look for its symbols.
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return;
  fail("DEVICE", std::string("no CUDA: ") + complaint(dlerror()) + ": install what this LibTorch was built with, or use --device cpu");
}

}  // namespace

std::string libtorch_folder() {
  Dl_info of;
  if (!dladdr(reinterpret_cast<void*>(&at::get_num_threads), &of) || !of.dli_fname) return "";
  std::string path = of.dli_fname;
  return path.substr(0, path.rfind('/'));
}

void open_device_library(const c10::Device& device) {
  if (!device.is_cuda()) return;
  auto path = libtorch_folder() + "/libtorch_cuda" + kEnding;
  if (access(path.c_str(), F_OK) != 0)
    fail("DEVICE", "no CUDA: this LibTorch was built without it; name one that has it with --libtorch, or use --device cpu");
  open(path);
}

}  // namespace rpx
