// What NVIDIA's management library (NVML) and CUDA's runtime say of GPUs. Both are opened at run time: nothing links to
// them. Names, codes and numbers are those of nvml.h and cuda_runtime_api.h, which stay from version to version.
#include <dlfcn.h>
#ifdef __linux__
#include <link.h>
#endif

#include <cstdio>
#include <mutex>

#include "error.h"

namespace rpx {

namespace {

// A library whose functions return 0 or a code that has a text, and the "key\tstate\tvalue" lines of what they say.
struct Teller {
  void* library;
  const char* (*text)(int);
  int denied, unsupported;
  std::string lines;

  void line(const std::string& key, const char* state, const std::string& value) {
    lines += (lines.empty() ? "" : "\n") + key + '\t' + state + '\t';
    for (char c : value) lines += c == '\n' || c == '\t' ? ' ' : c;
  }
  // A call's code and what it has written. To be made with braces, which keep the order: first the call.
  struct Answer {
    int code;
    std::string value;
  };
  const char* state(int code) const {
    return code == denied ? "denied" : code == unsupported ? "unsupported" : "failed";
  }
  // A figure, or why there is none.
  void tell(const std::string& key, const Answer& answer) {
    if (!answer.code) line(key, "ok", answer.value);
    else line(key, state(answer.code), text(answer.code));
  }
  template <class F>
  F* symbol(const char* name) const {
    return reinterpret_cast<F*>(dlsym(library, name));
  }
  // Calls a function by its name; one that this version of the library lacks supports nothing.
  template <class... A>
  int call(const char* name, A... arguments) const {
    auto* function = symbol<int(A...)>(name);
    return function ? function(arguments...) : unsupported;
  }
  // A call that writes one number behind its other arguments.
  template <class T, class... A>
  T number(const std::string& key, const char* name, A... arguments) {
    T value{};
    tell(key, {call(name, arguments..., &value), std::to_string(value)});
    return value;
  }
};

std::string bus(unsigned domain, unsigned bus, unsigned device) {
  char text[40];
  std::snprintf(text, sizeof text, "%04X:%02X:%02X.0", domain, bus, device);
  return text;
}

// nvmlPciInfo_t, nvmlMemory_t, nvmlUtilization_t.
struct PciInfo {
  char legacy[16];
  unsigned domain, bus, device, id, subsystem;
  char text[32];
};
struct Memory {
  unsigned long long total, free, used;
};
struct Utilization {
  unsigned gpu, memory;
};

void device(Teller& nvml, const std::string& gpu, void* handle) {
  char name[96] = "";
  nvml.tell(gpu + "name", {nvml.call("nvmlDeviceGetName", handle, +name, 96u), name});
  PciInfo pci{};
  int code = nvml.call("nvmlDeviceGetPciInfo_v3", handle, &pci);
  nvml.tell(gpu + "pci_bus", {code, bus(pci.domain, pci.bus, pci.device)});
  Memory memory{};
  code = nvml.call("nvmlDeviceGetMemoryInfo", handle, &memory);
  nvml.tell(gpu + "memory_total_bytes", {code, std::to_string(memory.total)});
  nvml.tell(gpu + "memory_used_bytes", {code, std::to_string(memory.used)});
  Utilization used{};
  code = nvml.call("nvmlDeviceGetUtilizationRates", handle, &used);
  nvml.tell(gpu + "utilization_percent", {code, std::to_string(used.gpu)});
  nvml.number<unsigned long long>(gpu + "energy_mj", "nvmlDeviceGetTotalEnergyConsumption", handle);
  nvml.number<unsigned>(gpu + "power_mw", "nvmlDeviceGetPowerUsage", handle);
  nvml.number<unsigned>(gpu + "power_limit_mw", "nvmlDeviceGetEnforcedPowerLimit", handle);
  const int sm = 1, memory_clock = 2;
  nvml.number<unsigned>(gpu + "sm_clock_mhz", "nvmlDeviceGetClockInfo", handle, sm);
  nvml.number<unsigned>(gpu + "sm_clock_max_mhz", "nvmlDeviceGetMaxClockInfo", handle, sm);
  nvml.number<unsigned>(gpu + "memory_clock_mhz", "nvmlDeviceGetClockInfo", handle, memory_clock);
  nvml.number<unsigned>(gpu + "temperature_c", "nvmlDeviceGetTemperature", handle, 0);
  nvml.number<unsigned long long>(gpu + "throttle_reasons", "nvmlDeviceGetCurrentClocksThrottleReasons", handle);
  nvml.number<unsigned>(gpu + "pcie_generation", "nvmlDeviceGetMaxPcieLinkGeneration", handle);
  nvml.number<unsigned>(gpu + "pcie_width", "nvmlDeviceGetMaxPcieLinkWidth", handle);
}

// The path of a library that this process has loaded and whose file name begins so; empty where there is none.
std::string loaded(const std::string& begins) {
  std::pair<std::string, std::string> search{begins, ""};
#ifdef __linux__
  dl_iterate_phdr(
      [](struct dl_phdr_info* info, size_t, void* data) {
        auto* wanted = static_cast<std::pair<std::string, std::string>*>(data);
        std::string path = info->dlpi_name;
        if (path.compare(path.rfind('/') + 1, wanted->first.size(), wanted->first)) return 0;
        wanted->second = path;
        return 1;
      },
      &search);
#endif
  return search.second;
}

// The beginning of cudaDeviceProp, the same since CUDA 10; what follows differs and is asked for by attribute.
struct Properties {
  char name[256], uuid[16], luid[8];
  unsigned mask;
  size_t memory;
  char rest[8192];
};

void cuda_device(Teller& cuda, const std::string& gpu, int device) {
  Properties properties{};
  auto* newer = cuda.symbol<int(Properties*, int)>("cudaGetDeviceProperties_v2");
  int code = newer ? newer(&properties, device) : cuda.call("cudaGetDeviceProperties", &properties, device);
  cuda.tell(gpu + "name", {code, properties.name});
  cuda.tell(gpu + "memory_total_bytes", {code, std::to_string(properties.memory)});
  char bus[32] = "";
  cuda.tell(gpu + "pci_bus", {cuda.call("cudaDeviceGetPCIBusId", +bus, 32, device), bus});
  const std::pair<const char*, int> attributes[] = {
      {"compute_capability_major", 75}, {"compute_capability_minor", 76}, {"multiprocessors", 16}, {"clock_khz", 13},
      {"memory_clock_khz", 36}, {"memory_bus_bits", 37}, {"l2_cache_bytes", 38}, {"integrated", 18}};
  for (auto& [key, attribute] : attributes) {
    int value = 0;
    cuda.tell(gpu + key, {cuda.call("cudaDeviceGetAttribute", &value, attribute, device), std::to_string(value)});
  }
}

}  // namespace

void nvml(const char* library, Record* out) {
  guard("INTERNAL", [&] {
    // Opened once and left open: the driver takes tens of milliseconds to attach, and a sampler asks again and again.
    static std::mutex one;
    std::lock_guard<std::mutex> lock(one);
    Teller nvml{dlopen(library, RTLD_NOW | RTLD_LOCAL), nullptr, 4, 3, ""};  // NVML_ERROR_NO_PERMISSION, _NOT_SUPPORTED
    if (!nvml.library) {
      nvml.line("nvml", "unsupported", dlerror());
    } else if (!(nvml.text = nvml.symbol<const char*(int)>("nvmlErrorString"))) {
      nvml.line("nvml", "unsupported", std::string(library) + " is not NVML");
    } else {
      static std::string attached;
      int code = attached == library ? 0 : nvml.call("nvmlInit_v2");
      if (!code) attached = library;
      char version[80] = "";
      nvml.tell("nvml", {code ? code : nvml.call("nvmlSystemGetNVMLVersion", +version, 80u), version});
      unsigned count = 0;
      if (!code) {
        nvml.tell("driver_version", {nvml.call("nvmlSystemGetDriverVersion", +version, 80u), version});
        nvml.tell("gpu_count", {code = nvml.call("nvmlDeviceGetCount_v2", &count), std::to_string(count)});
      }
      for (unsigned i = 0; !code && i < count; i++) {
        void* handle = nullptr;
        std::string gpu = "gpu" + std::to_string(i) + '.';
        int found = nvml.call("nvmlDeviceGetHandleByIndex_v2", i, &handle);
        if (found) nvml.tell(gpu + "name", {found, ""});
        else device(nvml, gpu, handle);
      }
    }
    out->text_.assign(nvml.lines.c_str(), nvml.lines.c_str() + nvml.lines.size() + 1);
  });
}

void cudart(const char* library, Record* out) {
  guard("INTERNAL", [&] {
    std::string path = *library ? library : loaded("libcudart");
    void* runtime = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    Teller cuda{runtime, nullptr, 800, 801, ""};  // cudaErrorNotPermitted, cudaErrorNotSupported
    if (path.empty()) {
      cuda.line("cudart", "unsupported", "this LibTorch comes without CUDA's runtime");
    } else if (!cuda.library) {
      cuda.line("cudart", "unsupported", dlerror());
    } else if (!(cuda.text = cuda.symbol<const char*(int)>("cudaGetErrorString"))) {
      cuda.line("cudart", "unsupported", path + " is not CUDA's runtime");
    } else {
      cuda.line("cudart", "ok", path);
      int count = 0;
      cuda.number<int>("runtime_version", "cudaRuntimeGetVersion");
      int driver = 0;
      int code = cuda.call("cudaDriverGetVersion", &driver);
      if (!code && !driver) cuda.line("driver_version", "unsupported", "no CUDA driver is installed");
      else cuda.tell("driver_version", {code, std::to_string(driver)});
      code = cuda.call("cudaGetDeviceCount", &count);
      cuda.tell("gpu_count", {code, std::to_string(count)});
      for (int i = 0; !code && i < count; i++) cuda_device(cuda, "gpu" + std::to_string(i) + '.', i);
      size_t free = 0, total = 0;
      int current = 0;
      // Of the current device alone: the question sets a device up, which takes hundreds of megabytes there.
      if (!code && count) {
        code = cuda.call("cudaGetDevice", &current);
        if (!code) code = cuda.call("cudaMemGetInfo", &free, &total);
        std::string gpu = "gpu" + std::to_string(current) + '.';
        cuda.tell(gpu + "memory_free_bytes", {code, std::to_string(free)});
      }
      cuda.call("cudaGetLastError");  // LibTorch is not to find our failures
    }
    out->text_.assign(cuda.lines.c_str(), cuda.lines.c_str() + cuda.lines.size() + 1);
  });
}

}  // namespace rpx
