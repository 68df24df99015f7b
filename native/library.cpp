// What LibTorch says of itself, its thread pools, and libraries of custom ops.
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <dlfcn.h>
#include <unistd.h>
#include <torch/version.h>

#include <cstdlib>

#include "device_library.h"
#include "session.h"

namespace rpx {

namespace {

// OpenBLAS keeps its own pool, which at::set_num_threads does not reach. Null where LibTorch has another BLAS.
template <class F>
F* openblas(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
}

// Of the library that was loaded, which its headers need not be of.
std::string version(const std::string& build) {
  const std::string key = "TORCH_VERSION=";
  auto at = build.find(key);
  if (at == std::string::npos) return TORCH_VERSION;
  at += key.size();
  return build.substr(at, build.find_first_of(", ", at) - at);
}

}  // namespace

void set_threads(int operators, int blas) {
  static auto* set_blas = openblas<void(int)>("openblas_set_num_threads");
  static auto* get_blas = openblas<int()>("openblas_get_num_threads");
  if (operators > 0 && at::get_num_threads() != operators) at::set_num_threads(operators);
  // at::set_num_threads narrows OpenBLAS too on some builds, so that its width is set last.
  if (blas > 0 && set_blas && (!get_blas || get_blas() != blas)) set_blas(blas);
}

void operators(const char* path) {
  guard("MODEL_LOAD", [&] {
    // Its kernels find each other and LibTorch by name.
    if (!dlopen(path, RTLD_NOW | RTLD_GLOBAL)) fail("MODEL_LOAD", dlerror());
  });
}

void library(Record* out) {
  guard("INTERNAL", [&] {
    Storages none;
    Columns columns(*out, none);
    auto fact = [&](const char* key, const std::string& value) { columns.string(std::string(key) + "\t" + value); };
    auto build = complaint(at::show_config());
    fact("libtorch_version", version(build));
    fact("libtorch_path", libtorch_folder());
    fact("cpu_capability", at::get_cpu_capability());
    fact("openmp", at::get_openmp_version());
    fact("onednn", at::get_mkldnn_version());
    auto* config = openblas<const char*()>("openblas_get_config");
    fact("blas", config ? config() : at::get_mkl_version());
    // Set in native code where the user set none, so that Java's copy of the environment may lack it.
    auto environment = [&](const char* key, const char* name) {
      auto* value = std::getenv(name);
      fact(key, value ? value : "");
    };
    environment("omp_wait_policy", "OMP_WAIT_POLICY");
    environment("gomp_spincount", "GOMP_SPINCOUNT");
    fact("operator_threads", std::to_string(at::get_num_threads()));
    fact("interop_threads", std::to_string(at::get_num_interop_threads()));
    auto* width = openblas<int()>("openblas_get_num_threads");
    fact("blas_threads", width ? std::to_string(width()) : "");
    fact("build", build);
    columns.finish();
  });
}

void leave(int code) { _exit(code); }

}  // namespace rpx
