// Memory high waters: of tensors by the allocator's own reports, of the process by the kernel's.
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "session.h"

namespace rpx {

namespace {

struct Peak : c10::MemoryReportingInfoBase {
  std::atomic<int64_t> now{0}, most{0};

  void reportMemoryUsage(void*, int64_t size, size_t, size_t, c10::Device device) override {
    if (!device.is_cpu()) return;
    int64_t live = now += size;
    int64_t seen = most;
    while (live > seen && !most.compare_exchange_weak(seen, live)) {
    }
  }
  bool memoryProfilingEnabled() const override { return true; }
};

}  // namespace

int64_t Session::tensor_peak() {
  auto peak = guard("INPUT", [&] {
    auto reports = std::make_shared<Peak>();
    c10::DebugInfoGuard on(c10::DebugInfoKind::PROFILER_STATE, reports);
    state->forward();
    return reports->most.load();
  });
  state->restore();
  return peak;
}

int64_t resident_peak() {
#ifdef __linux__
  int64_t kib = -1;
  if (FILE* status = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, status))
      if (std::sscanf(line, "VmHWM: %ld kB", &kib) == 1) break;
    std::fclose(status);
  }
  return kib < 0 ? -1 : kib * 1024;
#else
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) ? -1 : usage.ru_maxrss;  // bytes on macOS
#endif
}

bool reset_resident_peak() {
  FILE* refs = std::fopen("/proc/self/clear_refs", "w");
  if (!refs) return false;
  bool written = std::fputs("5", refs) >= 0;
  return std::fclose(refs) == 0 && written;
}

}  // namespace rpx
